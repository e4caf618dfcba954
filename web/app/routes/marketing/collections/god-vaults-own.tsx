import { Vaults } from "~/features/claims/components/vaults";
import { PlayerArea } from "../../player-area";

/** The vaults of the signed-in player, live. */
export default function Own() {
  return (
    <PlayerArea loader={null}>
      <Vaults />
    </PlayerArea>
  );
}
