/** Numbers of one statement. */
export const NUMBERS_AT_ONCE = 50_000;

/** Servers stop a recursion after a thousand steps. */
const STEPS = 1_000;

/** Returns the head of a statement with the rows `numbers (n)`: up to {@link NUMBERS_AT_ONCE} from a number, below another. */
export function numbers(from: number, below: number): string {
  return `WITH RECURSIVE
    steps (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM steps WHERE i < ${STEPS - 1}),
    numbers (n) AS (
      SELECT ${from} + a.i * ${STEPS} + b.i FROM steps a, steps b
      WHERE a.i < ${NUMBERS_AT_ONCE / STEPS} AND ${from} + a.i * ${STEPS} + b.i < ${below}
    )`;
}
