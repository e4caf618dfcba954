import { Vaults } from "~/features/claim/components/vaults";
import { PlayerArea } from "~/routes/player-area";

/** The vaults of the signed-in player, live. */
export default function Own() {
  return (
    <PlayerArea loader={null}>
      <Vaults />
    </PlayerArea>
  );
}
