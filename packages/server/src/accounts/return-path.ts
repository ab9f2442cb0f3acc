const LONGEST = 8000;
/** An origin that is nobody's: whatever leads away from it leads away from here. */
const HERE = 'http://here.invalid';

/**
 * The own path to go on at, as it was asked for, or the fallback when that leads anywhere else: to another origin in
 * any of the ways that browsers read addresses (`//evil`, `/\evil`, a tab in between, dots that end in `//evil`).
 */
export function returnPath(asked: string | undefined, fallback: string): string {
  if (asked === undefined || asked.length > LONGEST || !/^\/[\x21-\x7e]*$/.test(asked) || asked.includes('\\'))
    return fallback;
  const url = URL.parse(asked, HERE);
  const path = url && url.pathname + url.search;
  return url?.origin === HERE && path && !path.startsWith('//') ? path : fallback;
}
