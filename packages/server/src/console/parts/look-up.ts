/** Returns the entry of a table for a stored value; undefined for a value of a newer version. */
export function lookUp<T>(table: Readonly<Record<string, T>>, value: string): T | undefined {
  return Object.hasOwn(table, value) ? table[value] : undefined;
}

interface Reference {
  readonly cause: string;
  readonly fix: string;
}

/** Returns cause and fix of a stored code. */
export function referenceOf(table: Readonly<Record<string, Reference>>, code: string): Reference {
  const cause = `A newer version of the server recorded \`${code}\`. This version has no text for it.`;
  return lookUp(table, code) ?? { cause, fix: 'See the error reference of the newer version.' };
}
