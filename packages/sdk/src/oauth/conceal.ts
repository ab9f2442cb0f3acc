/** Node's hook for `console.log`, by its registered name, because the package also runs without Node. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Hides the secrets of an object from `console.log`, and also from JSON unless it must be stored as JSON. */
export function conceal<T extends object>(object: T, shown: object, { json = true } = {}): T {
  const hidden = { value: () => shown, enumerable: false, configurable: true };
  Object.defineProperty(object, INSPECT, hidden);
  if (json) Object.defineProperty(object, 'toJSON', hidden);
  return object;
}
