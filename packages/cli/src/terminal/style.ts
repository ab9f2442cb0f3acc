import type { Io, Output } from './io.ts';

/** Text styles; without colours each returns the text unchanged. */
export interface Style {
  readonly heading: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly alarm: (text: string) => string;
}

/**
 * Returns the style of a stream. FORCE_COLOR takes precedence, then NO_COLOR (https://no-color.org: set and not
 * empty); otherwise a terminal has colours.
 */
export function styleOf(io: Io, output: Output): Style {
  return hasColours(io, output) ? COLOURED : PLAIN;
}

function hasColours({ env }: Io, output: Output): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env['NO_COLOR']) return false;
  return output.isTTY === true && env['TERM'] !== 'dumb';
}

const sgr = (on: number, off: number) => (text: string) => `\u001b[${on}m${text}\u001b[${off}m`;
const same = (text: string) => text;

const COLOURED: Style = { heading: sgr(1, 22), faint: sgr(2, 22), alarm: sgr(31, 39) };
const PLAIN: Style = { heading: same, faint: same, alarm: same };
