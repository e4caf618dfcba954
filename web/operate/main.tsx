import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { takeToken } from "./pages/join";
import { queryClient } from "./query";
import { routes } from "./routes";
import "./operate.css";

// Before the router keeps the address.
if (/\/join\/?$/.test(location.pathname)) takeToken();

const root = document.getElementById("root");
if (!root) throw new Error("The page has no root.");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createBrowserRouter(routes, { basename: "/operate" })} />
    </QueryClientProvider>
  </StrictMode>,
);
