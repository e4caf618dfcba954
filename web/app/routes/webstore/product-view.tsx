import { ProductLoading, ProductPage } from "~/features/webstore/components/product-page";
import { ForEverybody } from "./for-everybody";

/** A product, for visitors and for players. */
export default function ProductView({ id }: { id: string }) {
  return (
    <ForEverybody loading={<ProductLoading />}>
      <ProductPage key={id} id={id} />
    </ForEverybody>
  );
}
