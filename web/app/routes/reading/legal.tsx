import { Outlet } from "react-router";
import { Chapter } from "~/components/site/chapter";
import { useReading } from "./use-reading";

/** The layout of the legal pages. */
export default function Legal() {
  const { page, headings } = useReading();
  return (
    <Chapter page={page} headings={headings} caption="The small print">
      <Outlet />
    </Chapter>
  );
}
