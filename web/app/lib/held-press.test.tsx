import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { useHeldPress } from "./held-press";

const act = vi.fn();

beforeEach(() => act.mockClear());

function Form({ loading }: { loading: boolean }) {
  const [price, setPrice] = useState("");
  const { press, held } = useHeldPress(loading, () => act(), price);
  return (
    <form>
      <input aria-label="Price" value={price} onChange={({ target }) => setPrice(target.value)} />
      <button type="button" onClick={press}>
        {held ? "Wait" : "List"}
      </button>
    </form>
  );
}
const list = () => userEvent.click(screen.getByRole("button"));

it("a press is carried out at once when nothing is loading", async () => {
  render(<Form loading={false} />);
  await list();
  expect(act).toHaveBeenCalledTimes(1);
});

it("a press while its needs are loading shows that it is held, and is carried out once they have loaded", async () => {
  const { rerender } = render(<Form loading />);
  await list();
  expect(screen.getByRole("button")).toHaveTextContent("Wait");
  expect(act).not.toHaveBeenCalled();
  rerender(<Form loading={false} />);
  expect(act).toHaveBeenCalledTimes(1);
  expect(screen.getByRole("button")).toHaveTextContent("List");
  rerender(<Form loading />);
  rerender(<Form loading={false} />);
  expect(act).toHaveBeenCalledTimes(1);
});

it("a held press is forgotten when the player changes what was to be submitted", async () => {
  const { rerender } = render(<Form loading />);
  await list();
  await userEvent.type(screen.getByLabelText("Price"), "7{Backspace}");
  rerender(<Form loading={false} />);
  expect(act).not.toHaveBeenCalled();
});
