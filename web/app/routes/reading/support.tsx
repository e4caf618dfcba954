import { Outlet } from "react-router";
import { Chapter } from "~/components/site/chapter";
import { useReading } from "./use-reading";

/** The frame of King of Destiny's support pages. */
export default function Support() {
  const { page, headings } = useReading();
  return (
    <Chapter page={page} headings={headings} caption="King of Destiny · Support">
      <Outlet />
    </Chapter>
  );
}
