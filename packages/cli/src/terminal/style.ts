import type { Io, Output } from './io.ts';

/** Ways to set text apart; each gives the text back as it is where there are no colours. */
export interface Style {
  readonly heading: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly alarm: (text: string) => string;
}

/**
 * The style of a stream. FORCE_COLOR decides first, then NO_COLOR (https://no-color.org: set and not empty), then
 * whether it is a terminal.
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
