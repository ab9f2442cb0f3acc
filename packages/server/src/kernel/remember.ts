/** Maximum number of entries in the memory of a process about its callers. */
const MAX_REMEMBERED = 10_000;

/** Adds an entry, or moves it to the end. Deletes the oldest entry if there are more than `most`. */
export function remember<Value>(entries: Map<string, Value>, key: string, value: Value, most = MAX_REMEMBERED): void {
  entries.delete(key);
  entries.set(key, value);
  const [oldest] = entries.size > most ? entries.keys() : [];
  if (oldest !== undefined) entries.delete(oldest);
}
