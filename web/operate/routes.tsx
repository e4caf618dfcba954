import type { ReactElement } from "react";
import type { RouteObject } from "react-router";
import { Broken, Gate, NotFound } from "./gate";
import { Account } from "./pages/account";
import { Gas } from "./pages/gas";
import { Home } from "./pages/home";
import { Join } from "./pages/join";
import { Log } from "./pages/log";
import { OrderDetails } from "./pages/order";
import { PlayerDetails } from "./pages/player";
import { Players } from "./pages/players";
import { RewardsPage } from "./pages/rewards";
import { ShopPage } from "./pages/shop";
import { Support } from "./pages/support";
import { Team } from "./pages/team";
import { For } from "./ui/read";

const page = (path: string, right: string, heading: string, element: ReactElement): RouteObject => ({
  path,
  element: (
    <For right={right} heading={heading}>
      {element}
    </For>
  ),
});

/** The pages of the console, below /operate. */
export const routes: RouteObject[] = [
  { path: "/join", element: <Join />, errorElement: <Broken /> },
  {
    element: <Gate />,
    errorElement: <Broken />,
    children: [
      { index: true, element: <Home /> },
      page("players", "player show", "Players", <Players />),
      page("players/:id", "player show", "Player", <PlayerDetails />),
      page("orders/:id", "order show", "Order", <OrderDetails />),
      page("rewards", "reward list", "Rewards", <RewardsPage />),
      page("shop", "shop list", "Webstore", <ShopPage />),
      page("gas", "gas show", "Gas", <Gas />),
      page("support", "support list", "Support", <Support />),
      page("log", "audit list", "Log", <Log />),
      page("team", "operator list", "Team", <Team />),
      { path: "account", element: <Account /> },
      { path: "*", element: <NotFound /> },
    ],
  },
];
