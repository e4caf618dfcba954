import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { QuestionSearch } from "./question-search";
import { Questions } from "./questions";

function Page() {
  return (
    <QuestionSearch label="Search">
      <Questions>
        <h2>The market</h2>
        <h3>What does held mean?</h3>
        <p>
          A player has it <em>in the cart</em>.
        </p>
        <h3>How do I sell something?</h3>
        <p>List it.</p>
      </Questions>
      <Questions>
        <h2>Gas</h2>
        <h3>Do I pay gas?</h3>
        <p>No.</p>
      </Questions>
    </QuestionSearch>
  );
}

const shown = () => screen.getAllByRole("group").map((d) => d.querySelector("summary")?.textContent);

describe("questions", () => {
  it("are closed, each under its heading, with the answer inside", () => {
    render(<Page />);
    expect(shown()).toEqual(["What does held mean?", "How do I sell something?", "Do I pay gas?"]);
    for (const details of screen.getAllByRole("group")) expect(details).not.toHaveAttribute("open");
    expect(screen.getByText("List it.").closest("details")).toContainElement(
      screen.getByRole("heading", { name: "How do I sell something?" }),
    );
  });

  // Spec: PAGE-20
  it("are found by every word of question and answer, and stand open", async () => {
    render(<Page />);
    await userEvent.type(screen.getByLabelText("Search"), "CART held");
    expect(shown()).toEqual(["What does held mean?"]);
    expect(screen.getByRole("group")).toHaveAttribute("open");
    expect(screen.queryByRole("heading", { name: "Gas" })).toBeNull();
    await userEvent.clear(screen.getByLabelText("Search"));
    expect(shown()).toHaveLength(3);
  });
});
