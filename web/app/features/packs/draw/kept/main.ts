import { type Kept, view } from "./view";

/** The script of the page that players keep. */
const main = document.getElementById("main");
const kept = document.getElementById("kept")?.textContent;
if (main && kept) view(main, JSON.parse(kept) as Kept);
