import { Outlet } from "react-router";
export default function X() {
  return <Outlet />;
}
