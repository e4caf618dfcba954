import type { Finding } from "../verify";

/**
 * Checks a receipt in a worker: the pairings take a tenth of a second or more, during which a page would not react. Without
 * workers it is done in the page.
 */
export async function check(receipt: string): Promise<Finding> {
  if (typeof Worker === "undefined") return (await import("../verify")).checkReceipt(receipt);
  const worker = new Worker(new URL("./check-worker.ts", import.meta.url), { type: "module" });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Finding>) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message || "the worker did not start"));
      worker.postMessage(receipt);
    });
  } finally {
    worker.terminate();
  }
}
