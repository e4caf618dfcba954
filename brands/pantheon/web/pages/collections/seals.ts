import chalkanor from "~art/scene-seal-chalkanor.svg";
import dendrokos from "~art/scene-seal-dendrokos.svg";
import helikara from "~art/scene-seal-helikara.svg";
import keraunax from "~art/scene-seal-keraunax.svg";
import morvaion from "~art/scene-seal-morvaion.svg";
import nyssaria from "~art/scene-seal-nyssaria.svg";
import ophelyx from "~art/scene-seal-ophelyx.svg";
import pyrrhamon from "~art/scene-seal-pyrrhamon.svg";
import selmene from "~art/scene-seal-selmene.svg";
import tavrekhon from "~art/scene-seal-tavrekhon.svg";
import thalvyra from "~art/scene-seal-thalvyra.svg";
import zephyrine from "~art/scene-seal-zephyrine.svg";

/** The gods' seals, by slug. */
export const seals: Record<string, string> = {
  helikara,
  keraunax,
  thalvyra,
  dendrokos,
  nyssaria,
  pyrrhamon,
  selmene,
  tavrekhon,
  ophelyx,
  chalkanor,
  zephyrine,
  morvaion,
};
