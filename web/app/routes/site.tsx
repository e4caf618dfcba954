import { PageFrame } from "~/components/site/page-frame";
import { Footer } from "./site/footer";
import { Header } from "./site/header";

/** The layout of every page outside the marketplace. */
export default function Site() {
  return <PageFrame header={<Header />} footer={<Footer />} />;
}
