import { act, render, screen, waitFor } from "@testing-library/react";
import { useEffect, useState } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { flags } from "~/features/flags/store";
import { clientConfig } from "../test/make";
import { HttpResponse, http, server } from "../test/server";
import { start } from "./start";

const monitoring = vi.hoisted(() => ({ startMonitoring: vi.fn() }));
vi.mock("~/features/monitoring/start", () => monitoring);

const good = clientConfig();
const enabled = { "2": { enabled: true, value: true, variant: "on", reason: "STATIC" } };

/** The site as its root shows it. */
function Site() {
  const [instead, setInstead] = useState<React.ReactNode>(null);
  useEffect(() => start(setInstead), []);
  return instead ?? <p>the site</p>;
}

beforeEach(() => {
  flags.set(flags.initial);
  monitoring.startMonitoring.mockClear();
  vi.spyOn(console, "warn").mockImplementation(() => {});
  server.use(http.get("*/api/proxy/feature-flag/getEvaluatedFeatureFlags", () => HttpResponse.json({ flags: enabled })));
});

describe("the site at its start", () => {
  it("goes on with a good configuration, with flags and monitoring", async () => {
    server.use(http.get("*/api/config", () => HttpResponse.json(good)));
    render(<Site />);
    await waitFor(() => expect(monitoring.startMonitoring).toHaveBeenCalledWith(good));
    await waitFor(() => expect(flags.get().flags).toEqual(enabled));
    expect(screen.getByText("the site")).toBeVisible();
  });

  // Spec: RUN-2
  it("is not shown with a configuration that it cannot work with; a page says what is wrong, not the values", async () => {
    server.use(
      http.get("*/api/config", () =>
        HttpResponse.json({ ...good, environment: "hunter2", currency: { ...good.currency, address: "0xhunter2" } }),
      ),
    );
    const { container } = render(<Site />);
    expect(await screen.findByRole("heading", { level: 1, name: "Invalid environment variables" })).toBeVisible();
    expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual(["environment", "currency.address"]);
    expect(container).not.toHaveTextContent("hunter2");
    expect(screen.queryByText("the site")).toBeNull();
    expect(monitoring.startMonitoring).not.toHaveBeenCalled();
  });

  it("is shown when the server does not answer: who needs the configuration asks again", async () => {
    server.use(http.get("*/api/config", () => HttpResponse.error()));
    render(<Site />);
    await waitFor(() => expect(console.warn).toHaveBeenCalledWith("config: not loaded", expect.anything()));
    await act(async () => {});
    expect(screen.getByText("the site")).toBeVisible();
  });
});
