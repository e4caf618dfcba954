import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { HttpResponse, http, problem, server } from "../test/server";
import { reasonProblem } from "./act-dialog";
import { axeFaults, everyRight, open, playerPage, session } from "./testing";
import type * as T from "./types";

const device = vi.hoisted(() => ({
  create: vi.fn<(o: { optionsJSON: unknown }) => Promise<unknown>>(),
  get: vi.fn<(o: { optionsJSON: unknown }) => Promise<unknown>>(),
}));

vi.mock("@simplewebauthn/browser", () => ({
  startRegistration: device.create,
  startAuthentication: device.get,
  browserSupportsWebAuthnAutofill: () => Promise.resolve(false),
  WebAuthnAbortService: { cancelCeremony: () => {} },
}));

beforeEach(() => {
  device.create.mockReset();
  device.get.mockReset();
});

const perseus: T.Player = { id: "P1", name: "Perseus" };
const frozen: T.FreezeResult = {
  player: perseus,
  since: "2026-11-30T10:00:00Z",
  reason: "Chargeback",
  already: false,
  sessionsEnded: 2,
  holdsEnded: 1,
  shown: "Your account is frozen: Chargeback",
};

/** Receives what is posted, and answers with what `answer` returns. */
function receive(path: string, answer: () => Response, method: "post" | "patch" | "delete" = "post") {
  const got: unknown[] = [];
  server.use(
    http[method](`*/api/operate/${path}`, async ({ request }) => {
      const text = await request.text();
      got.push(text ? JSON.parse(text) : null);
      return answer();
    }),
  );
  return got;
}

async function openAct(name: string) {
  await userEvent.click(await screen.findByRole("button", { name }));
  return within(await screen.findByRole("dialog"));
}

const send = async (dialog: ReturnType<typeof within>, action: string, reason = "Chargeback") => {
  await userEvent.type(dialog.getByLabelText("Reason"), reason);
  await userEvent.click(dialog.getByRole("button", { name: action }));
};

describe("an act", () => {
  it("asks for the passkey where the server wants it, keeps what was typed and is repeated", async () => {
    open("/players/P1");
    let confirmed = false;
    const got = receive("players/P1/freeze", () =>
      confirmed ? HttpResponse.json(frozen) : problem(403, "Confirm that it is you.", { reason: "confirm" }),
    );
    server.use(http.get("*/api/operate/confirm", () => HttpResponse.json({ options: { challenge: "c" } })));
    const confirms = receive("confirm", () => {
      confirmed = true;
      return HttpResponse.json(session());
    });
    const dialog = await openAct("Freeze");
    expect(screen.getByRole("dialog")).toHaveAccessibleDescription(
      /Ends all sessions, holds, withdrawals .* removes the passkeys and closes the wallet/,
    );
    expect(dialog.getByLabelText("Reason")).toHaveAccessibleDescription(/The player reads it/);
    expect(await axeFaults()).toEqual([]);

    device.get.mockRejectedValueOnce(Object.assign(new Error("closed"), { name: "NotAllowedError" }));
    await send(dialog, "Freeze", " Chargeback ");
    await dialog.findByText("Your device did not confirm it. Please try again.");
    expect(dialog.getByLabelText("Reason")).toHaveValue(" Chargeback ");

    device.get.mockResolvedValueOnce({ id: "K1" });
    await userEvent.click(dialog.getByRole("button", { name: "Freeze" }));
    await dialog.findByText(/Perseus is frozen\. 2 sessions and 1 hold ended\./);
    expect(dialog.getByText("The player reads: “Your account is frozen: Chargeback”")).toBeVisible();
    expect(device.get).toHaveBeenLastCalledWith({ optionsJSON: { challenge: "c" } });
    expect(confirms).toEqual([{ response: { id: "K1" } }]);
    expect(got).toEqual([{ reason: "Chargeback" }, { reason: "Chargeback" }, { reason: "Chargeback" }]);
    await userEvent.click(dialog.getByText("Close"));
    await waitFor(() => expect(screen.getByRole("button", { name: "Freeze" })).toHaveFocus());
  });

  it("needs a reason on one line", async () => {
    expect(reasonProblem("  ")).toBe("Give a reason.");
    expect(reasonProblem("x".repeat(201))).toBe("Use at most 200 characters.");
    expect(reasonProblem("a\tb")).toBe("Use one line, without control characters.");
    expect(reasonProblem("🏛".repeat(200))).toBeUndefined();
    open("/players/P1");
    const dialog = await openAct("Freeze");
    await userEvent.click(dialog.getByRole("button", { name: "Freeze" }));
    expect(dialog.getByText("Give a reason.")).toBeVisible();
    expect(dialog.getByLabelText("Reason")).toHaveFocus();
  });

  it("says why it was refused, at the field that the server names", async () => {
    open("/players/P1");
    receive("players/P1/score", () =>
      problem(422, "Invalid.", { errors: [{ location: "body.board", message: "There is no such board." }] }),
    );
    const dialog = await openAct("Report a score");
    await userEvent.type(dialog.getByLabelText("Board"), "kills");
    await userEvent.type(dialog.getByLabelText("Score"), "-12");
    await send(dialog, "Report a score");
    expect(dialog.getByText("Enter a whole number.")).toBeVisible();
    await userEvent.clear(dialog.getByLabelText("Score"));
    await userEvent.type(dialog.getByLabelText("Score"), "12");
    await userEvent.click(dialog.getByRole("button", { name: "Report a score" }));
    await dialog.findByText("There is no such board.");
    receive("players/P1/score", () => problem(409, "The season is over."));
    await userEvent.click(dialog.getByRole("button", { name: "Report a score" }));
    await dialog.findByText("The season is over.");
    expect(dialog.getByLabelText("Reason")).toHaveValue("Chargeback");
  });

  it("moves the focus to the page when what opened it is gone", async () => {
    open("/players/P1");
    receive("players/P1/lists/remove", () => HttpResponse.json({ player: perseus } satisfies T.Changed));
    const dialog = await openAct("Remove from testers");
    server.use(http.get("*/api/operate/players/P1", () => HttpResponse.json(playerPage({ lists: [] }))));
    await send(dialog, "Remove");
    await dialog.findByText("Perseus is not on the list “testers” any more.");
    await screen.findByText("On no list.");
    await userEvent.click(dialog.getByText("Close"));
    await waitFor(() => expect(document.getElementById("main")).toHaveFocus());
  });

  it("is not offered to a role without the right", async () => {
    const views = everyRight.filter((right) => / (show|list)$/.test(right));
    open("/players/P1", { session: session({ role: "support", rights: views }) });
    await screen.findByText("perseus@olympus.example");
    expect(screen.getByText("Your role, support, can look at players, but not freeze them.")).toBeVisible();
    for (const name of ["Freeze", "Report a score", "Add to a list", "Remove from testers", "Give burn:1:2 again", "Assign gift:zeus"]) {
      expect(screen.queryByRole("button", { name })).toBeNull();
    }
  });
});

describe("the acts", () => {
  const cases: {
    page: string;
    opener: string;
    action: string;
    fields?: Record<string, string>;
    path: string;
    method?: "patch";
    body: object;
    answer: object;
    result: string | RegExp;
    answers?: Record<string, unknown>;
  }[] = [
    {
      page: "/players/P1",
      opener: "Unfreeze",
      action: "Unfreeze",
      path: "players/P1/unfreeze",
      body: {},
      answer: { player: perseus },
      result: "Perseus was not frozen. Nothing has changed.",
      answers: { "players/P1": playerPage({ frozen: { since: "2026-11-30T10:00:00Z", reason: "x" } }) },
    },
    {
      page: "/players/P1",
      opener: "Add to a list",
      action: "Add to a list",
      fields: { List: "early-access", Until: "2027-01-31" },
      path: "players/P1/lists",
      body: { list: "early-access", until: "2027-01-31T00:00:00Z" },
      answer: { player: perseus },
      result: "Perseus is on the list “early-access” until 2027-01-31.",
    },
    {
      page: "/players/P1",
      opener: "Forgive the debts of Perseus",
      action: "Forgive debts",
      path: "players/P1/forgive",
      body: {},
      answer: { player: perseus, debts: 2, disputes: 1 },
      result: "2 debts and 1 dispute of Perseus forgiven.",
    },
    {
      page: "/rewards",
      opener: "Give burn:1:2 again",
      action: "Give again",
      path: "rewards/redo",
      body: { source: "burn:1:2", evenIfGiven: false },
      answer: { grants: 1 },
      result: "1 part of the reward will be given again.",
    },
    {
      page: "/rewards",
      opener: "Assign gift:zeus",
      action: "Assign",
      fields: { Player: "P1" },
      path: "rewards/assign",
      body: { source: "gift:zeus", player: "P1" },
      answer: { player: perseus },
      result: "The reward is Perseus’s.",
    },
    {
      page: "/shop",
      opener: "Assign order 900",
      action: "Assign",
      fields: { Player: "P1" },
      path: "shop/orders/900/assign",
      body: { player: "P1" },
      answer: { player: perseus },
      result: "Order 900 is Perseus’s.",
    },
    {
      page: "/gas",
      opener: "Raise the budget of game",
      action: "Raise",
      fields: { Amount: "0.05", Operations: "10" },
      path: "gas/game",
      body: { amount: "0.05", operations: 10 },
      answer: { chain: "game", chainId: 1, limits: { budget: "0", left: "50000000000000000", operationsLeft: 10 } },
      result: "0.05 and 10 operations are left for today.",
    },
    {
      page: "/team",
      opener: "Change the role of Grace",
      action: "Change role",
      path: "operators/O2",
      method: "patch",
      body: { role: "support", response: { id: "K1" } },
      answer: { id: "O2", name: "Grace", role: "support" },
      result: "Grace has the role support.",
    },
    {
      page: "/team",
      opener: "Remove Grace",
      action: "Remove",
      path: "operators/O2/remove",
      body: {},
      answer: { success: true },
      result: "Grace is removed.",
    },
  ];
  it.each(cases)("$action on $page", async ({ page, opener, action, fields = {}, path, method, body, answer, result, answers }) => {
    open(page, { confirm: { options: {} }, ...answers });
    device.get.mockResolvedValue({ id: "K1" });
    const got = receive(path, () => HttpResponse.json(answer), method);
    const dialog = await openAct(opener);
    for (const [label, value] of Object.entries(fields)) await userEvent.type(dialog.getByLabelText(label), value);
    await send(dialog, action);
    await dialog.findByText(result);
    expect(got).toEqual([{ ...body, reason: "Chargeback" }]);
  });

  it("give again what a player may have, if the operator has looked", async () => {
    open("/rewards");
    const got = receive("rewards/redo", () => HttpResponse.json({ grants: 2 }));
    const dialog = await openAct("Give burn:1:2 again");
    await userEvent.click(dialog.getByRole("checkbox"));
    await send(dialog, "Give again");
    await dialog.findByText("2 parts of the reward will be given again.");
    expect(got).toMatchObject([{ evenIfGiven: true }]);
  });

  it("show the link of an invitation once", async () => {
    open("/team", { confirm: { options: {} } });
    device.get.mockResolvedValue({ id: "K1" });
    const url = "https://site.example/operate/join#TOKEN";
    const got = receive("operators", () =>
      HttpResponse.json({ operator: { id: "O3", name: "Joan", role: "economy" }, url, expiresAt: "2026-12-01T10:00:00Z" }),
    );
    const dialog = await openAct("Invite");
    await userEvent.type(dialog.getByLabelText("Name"), "Joan");
    await userEvent.selectOptions(dialog.getByLabelText("Role"), "economy");
    await send(dialog, "Invite", "Joins the team");
    expect(await dialog.findByText(url)).toBeVisible();
    expect(dialog.getByRole("button", { name: /Copy the link/ })).toBeVisible();
    expect(got).toEqual([{ name: "Joan", role: "economy", reason: "Joins the team", response: { id: "K1" } }]);
    expect(await axeFaults()).toEqual([]);
    await userEvent.click(dialog.getByText("Close"));
    await waitFor(() => expect(screen.queryByText(url)).toBeNull());
  });
});

describe("own passkeys", () => {
  it("are added after the passkey was asked for", async () => {
    open("/account");
    const answers = receive("passkeys/options", () => HttpResponse.json({ options: { challenge: "n" } }));
    server.use(http.get("*/api/operate/confirm", () => HttpResponse.json({ options: {} })));
    const got = receive("passkeys", () =>
      HttpResponse.json({ id: "K3", name: "Key", createdAt: "2026-11-30T10:00:00Z", synced: false }, { status: 201 }),
    );
    device.get.mockResolvedValue({ id: "K1" });
    device.create.mockResolvedValue({ id: "K3" });
    await userEvent.type(await screen.findByLabelText("Name"), "Key");
    await userEvent.click(screen.getByRole("button", { name: "Add a passkey" }));
    await screen.findByText("“Key” is added. You can sign in with it now.");
    expect(device.create).toHaveBeenCalledExactlyOnceWith({ optionsJSON: { challenge: "n" } });
    expect(answers).toEqual([{ response: { id: "K1" } }]);
    expect(got).toEqual([{ name: "Key", response: { id: "K3" } }]);
    expect(screen.getByLabelText("Name")).toHaveValue("");
  });

  it("are removed without a reason, unless it is the only one", async () => {
    open("/account");
    const answers = receive("passkeys/K2/remove", () => HttpResponse.json({ success: true } satisfies T.Success));
    server.use(http.get("*/api/operate/confirm", () => HttpResponse.json({ options: {} })));
    device.get.mockResolvedValue({ id: "K1" });
    const dialog = await openAct("Remove Phone");
    expect(dialog.queryByLabelText("Reason")).toBeNull();
    await userEvent.click(dialog.getByRole("button", { name: "Remove" }));
    await dialog.findByText("“Phone” is removed.");
    expect(answers).toEqual([{ response: { id: "K1" } }]);
    server.use(
      http.get("*/api/operate/passkeys", () =>
        HttpResponse.json({ items: [{ id: "K1", name: "Laptop", createdAt: "2026-11-30T10:00:00Z", synced: false }] }),
      ),
    );
    open("/account", { passkeys: { items: [{ id: "K1", name: "Laptop", createdAt: "2026-11-30T10:00:00Z", synced: false }] } });
    await screen.findByText("Add another to remove it");
  });
});
