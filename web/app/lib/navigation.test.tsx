import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { createMemoryRouter, Link, RouterProvider } from "react-router";
import { beforeEach, expect, it } from "vitest";
import { useLeave, useNavigate, useSearchParams } from "./navigation";

let answer: () => Promise<void>;
let went: boolean | undefined;

/** A form whose answer arrives when the test says so. */
function Form() {
  const navigate = useNavigate();
  const leave = useLeave();
  const [query, setQuery] = useSearchParams();
  const [typed, setTyped] = useState("");
  const ask = (act: () => unknown) => {
    answer = async () => {
      went = (await act()) as boolean | undefined;
    };
  };
  return (
    <>
      <h1>Form {query.toString()}</h1>
      <input aria-label="Typed" value={typed} onChange={({ target }) => setTyped(target.value)} />
      <button type="button" onClick={() => ask(() => navigate("/done"))}>
        Send
      </button>
      <button type="button" onClick={() => ask(() => setQuery({ done: "yes" }))}>
        Mark
      </button>
      <button type="button" onClick={() => ask(() => leave("https://shop.example/"))}>
        Pay
      </button>
      <button type="button" onClick={() => setQuery({ tab: "2" }, { replace: true })}>
        Second tab
      </button>
      <Link to="/form?item=2">Another form</Link>
      <Link to="/other?filter=rare">Elsewhere</Link>
    </>
  );
}

beforeEach(() => {
  went = undefined;
});

function open() {
  const router = createMemoryRouter(
    [
      { path: "/form", element: <Form /> },
      { path: "*", element: <p>Another page</p> },
    ],
    { initialEntries: ["/form?item=1"] },
  );
  render(<RouterProvider router={router} />);
  return () => router.state.location.pathname + router.state.location.search;
}
const press = (name: string) =>
  userEvent.click(screen.getByRole(name === "Elsewhere" || name === "Another form" ? "link" : "button", { name }));
const arrive = () => act(async () => answer());

it("an answer navigates from the page that asked for it, also after its address was replaced", async () => {
  const address = open();
  await press("Send");
  await press("Second tab");
  await arrive();
  expect(address()).toBe("/done");
  expect(went).toBe(true);
});

it.each(["Elsewhere", "Another form"])("an answer that comes after the player went %s does not navigate", async (where) => {
  const address = open();
  await press("Send");
  await press(where);
  const there = address();
  await arrive();
  expect(address()).toBe(there);
  expect(went).toBe(false);
});

it.each(["Elsewhere", "Another form"])("nor does it change the query of the page where the player went: %s", async (where) => {
  const address = open();
  await press("Mark");
  await press(where);
  const there = address();
  await arrive();
  expect(address()).toBe(there);
});

it("nor does it lead to another site", async () => {
  open();
  await press("Pay");
  await press("Elsewhere");
  await arrive();
  expect(went).toBe(false);
});
