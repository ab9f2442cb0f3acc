/** @typedef {{ passed: number, skipped: number, failures: readonly string[] }} Tally Each failure is one line that names it. */

/** @type {Tally} */
export const none = { passed: 0, skipped: 0, failures: [] };

/** @param {Tally} a @param {Tally} b @returns {Tally} */
export function add(a, b) {
  return { passed: a.passed + b.passed, skipped: a.skipped + b.skipped, failures: [...a.failures, ...b.failures] };
}

/**
 * The failures by name, then the line with the counts.
 * @param {Tally} tally
 */
export function summary({ passed, skipped, failures }) {
  const list = failures.length === 0 ? '' : `\nFailed:\n${failures.map((line) => `  ${line}\n`).join('')}\n`;
  return `${list}${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
