/** Anything that looks like a secret of the platform: keys, tokens, codes, links, client and signing secrets. */
const SECRET = /\b(plat_(?:live|test|at|rt|ac|cs|dv|dc|sl|inv)_|whsec_)[A-Za-z0-9_-]+/g;

/** Text in which of every secret of the platform only the prefix is left, as `plat_test_…`: for logs, errors and terminals. */
export function maskSecrets(text: string): string {
  return text.replace(SECRET, '$1…');
}
