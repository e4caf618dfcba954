import { Loading, Shop } from "~/features/webstore/components/shop";
import { ForEverybody } from "~/routes/webstore/for-everybody";

/** The shop, for visitors and for players. */
export default function WebstoreShop() {
  return (
    <ForEverybody loading={<Loading />}>
      <Shop />
    </ForEverybody>
  );
}
