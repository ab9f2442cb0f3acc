/** Matches every secret of the platform, also directly behind other text: keys, tokens, codes, links, client and signing secrets. */
const SECRET = /(plat_(?:live|test|at|rt|ac|cs|dv|dc|sl|inv)_|whsec_)[A-Za-z0-9_-]+/g;

/** Redacts every secret of the platform in a text to its prefix, as `plat_test_…`. For logs, errors and terminals. */
export function maskSecrets(text: string): string {
  return text.replace(SECRET, '$1…');
}
