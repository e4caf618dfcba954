import { checkReceipt } from "../verify";

/** Checks the receipt that it is sent; see check.ts. */
addEventListener("message", ({ data }: MessageEvent<string>) => postMessage(checkReceipt(data)));
