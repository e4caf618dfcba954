/** Where the cards lie between pack and grid. Lengths are in pixels from the middle of the stage, turns in degrees. */
export interface Place {
  x: number;
  y: number;
  turn: number;
}

export interface CardLayout {
  /** The width of a card; its height is 4/3 of that. */
  width: number;
  places: Place[];
  /** How many times larger the last card is when it is shown alone. */
  grows: number;
}

const widest = 200;
const widestAlone = 330;
/** The width of the stage that is used. */
const span = 1180;

/** Lays n cards into a stage: as few rows as leave them large, each bowed like a hand of cards. */
export function cardLayout(n: number, stage: { width: number; height: number }): CardLayout {
  const gap = stage.width < 640 ? 8 : 16;
  const room = { width: Math.min(stage.width, span) - 2 * gap, height: stage.height - 2 * gap };
  let best = { columns: 1, rows: n, width: 0 };
  for (let columns = Math.max(1, n); columns >= 1; columns--) {
    const rows = Math.ceil(n / columns);
    const wide = (room.width - gap * (columns - 1)) / columns;
    const high = ((room.height - gap * (rows - 1)) / rows) * 0.75 * 0.94; // room for the bow
    const width = Math.max(24, Math.floor(Math.min(wide, high, widest)));
    if (width > best.width) best = { columns, rows, width };
  }
  const { rows, width } = best;
  // Rows of nearly the same length.
  const columns = Math.ceil(n / rows);
  const height = (width * 4) / 3;
  const places = Array.from({ length: n }, (_, i): Place => {
    const row = Math.floor(i / columns);
    const inRow = Math.min(columns, n - row * columns);
    const across = (i % columns) - (inRow - 1) / 2;
    const bend = columns > 1 ? (2 * across) / (columns - 1) : 0; // −1 to 1
    return {
      x: across * (width + gap),
      y: (row - (rows - 1) / 2) * (height + gap) + (bend * bend - 0.4) * width * 0.07,
      turn: bend * 3.5,
    };
  });
  return { width, places, grows: Math.max(1, Math.min(widestAlone, stage.width * 0.7, stage.height * 0.75 * 0.82) / width) };
}
