/** One exchange of a code or a refresh token for a new pair. */
export interface Exchange {
  /** 1 for the code; the number of the new refresh token otherwise. */
  readonly generation: number;
  /** Time of the exchange, in ms. */
  readonly at: number;
  readonly requestId: string | null;
  /** Address of the app. */
  readonly ip: string | null;
}

/** Number of refreshes that a grant records, in addition to its first exchange (decision 056). */
const MAX_LATEST = 10;

/** Compact, because the row of a grant is written by each refresh. */
type Stored = readonly [generation: number, at: number, requestId: string | null, ip: string | null];

/** Returns the column `exchanges` with a further exchange: the first one and the latest ones. */
export function addExchange(column: string | null, { generation, at, requestId, ip }: Exchange): string {
  const [first, ...later] = [...storedIn(column), [generation, at, requestId, ip] as const];
  return JSON.stringify([first, ...later.slice(-MAX_LATEST)]);
}

/** Reads the column `exchanges`, oldest first. */
export function readExchanges(column: string | null): readonly Exchange[] {
  return storedIn(column).map(([generation, at, requestId, ip]) => ({ generation, at, requestId, ip }));
}

function storedIn(column: string | null): readonly Stored[] {
  return column === null ? [] : (JSON.parse(column) as readonly Stored[]);
}
