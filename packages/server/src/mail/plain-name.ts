const MAX_LENGTH = 60;

/**
 * Matches text that mail clients show as a link: `//host`, `\\host`, `user@host`, `www`, `name:80`. Also matches a dot before
 * a letter or digit (`evil.example`), also with the full stops of other scripts.
 */
const LINK = /\/\/|\\\\|@|\bwww\b|[.\u3002\uff61\u2024][\p{L}\p{N}]|:\d/iu;

/**
 * Returns a name that a tenant chose as one line of up to 60 visible characters. Returns null if mail clients would
 * show a part of it as a link; the mail then uses a neutral text.
 */
export function plainName(name: string): string | null {
  const line = name
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Co}\p{Cs}]/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (line === '' || LINK.test(line)) return null;
  const chars = [...line];
  return chars.length <= MAX_LENGTH ? line : `${chars.slice(0, MAX_LENGTH - 1).join('')}…`;
}
