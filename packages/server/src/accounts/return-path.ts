/** Maximum length of a path of this server that a page returns to, in characters. */
export const LONGEST_PATH = 8000;
/** A reserved origin. A path that leads away from it would also lead away from this server. */
const OWN_ORIGIN = 'http://here.invalid';

/**
 * Returns the requested path of this server, or the fallback if it leads to another origin. It covers every way that
 * browsers read addresses: `//evil`, `/\evil`, a tab in between, dots that end in `//evil`.
 */
export function returnPath(asked: string | undefined, fallback: string): string {
  if (asked === undefined || asked.length > LONGEST_PATH || !/^\/[\x21-\x7e]*$/.test(asked) || asked.includes('\\'))
    return fallback;
  const url = URL.parse(asked, OWN_ORIGIN);
  const path = url && url.pathname + url.search;
  return url?.origin === OWN_ORIGIN && path && !path.startsWith('//') ? path : fallback;
}
