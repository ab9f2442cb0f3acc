/** Node's hook for `console.log`, by its registered name: this runs without Node too. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Keeps the secrets of an object out of `console.log`, and, unless it has to be stored as JSON, out of that as well. */
export function conceal<T extends object>(object: T, shown: object, { json = true } = {}): T {
  const hidden = { value: () => shown, enumerable: false, configurable: true };
  Object.defineProperty(object, INSPECT, hidden);
  if (json) Object.defineProperty(object, 'toJSON', hidden);
  return object;
}
