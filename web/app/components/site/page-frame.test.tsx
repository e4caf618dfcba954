import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useEffect, useRef } from "react";
import { createMemoryRouter, Link, RouterProvider } from "react-router";
import { expect, it } from "vitest";
import { PageFrame } from "./page-frame";

function WithFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      Opened
    </h1>
  );
}

function open() {
  const children = [
    { path: "/", element: <Link to="/plain">Onward</Link> },
    { path: "/plain", element: <p>Plain</p> },
    { path: "/focused", element: <WithFocus /> },
  ];
  const element = <PageFrame header={<Link to="/focused">Open</Link>} />;
  render(<RouterProvider router={createMemoryRouter([{ element, children }])} />);
}

const follow = (name: string) => userEvent.click(screen.getByRole("link", { name }));

it("a page has the focus after a link led to it", async () => {
  open();
  expect(document.body).toHaveFocus();
  await follow("Onward");
  expect(screen.getByRole("main")).toHaveFocus();
});

it("a page that sets the focus itself keeps it", async () => {
  open();
  await follow("Open");
  expect(screen.getByRole("heading", { name: "Opened" })).toHaveFocus();
});
