import { Outlet } from "react-router";
import { Chapter } from "~/components/site/chapter";
import { useReading } from "./use-reading";

/** The layout of the texts about packs. */
export default function Packs() {
  const { page, headings } = useReading();
  return (
    <Chapter page={page} headings={headings} caption="King of Destiny · Packs">
      <Outlet />
    </Chapter>
  );
}
