/** Returns the reason why a body with this `Content-Type` is not read; null for UTF-8, which needs no parameter. */
export function charsetProblem(contentType: string): string | null {
  for (const [, quoted, plain = ''] of contentType.matchAll(/;\s*charset\s*=\s*(?:"([^"]*)"|([^;\s]*))/gi)) {
    const charset = quoted ?? plain;
    if (!/^utf-?8$/i.test(charset)) return 'must be in UTF-8: leave charset out of Content-Type, or set it to utf-8';
  }
  return null;
}
