import { Outlet } from "react-router";
import { Chapter } from "~/components/site/chapter";
import { useReading } from "./use-reading";

/** The layout of the legal pages, and of the text on how draws are checked. */
export default function Legal() {
  const { page, headings, pathname } = useReading();
  const ofPacks = pathname.startsWith("/packs/");
  return (
    <Chapter page={page} headings={headings} caption={ofPacks ? "Packs" : "The small print"}>
      <Outlet />
    </Chapter>
  );
}
