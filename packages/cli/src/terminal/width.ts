/** Returns the number of terminal columns of printable text. */
export function width(text: string): number {
  if (ASCII.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) columns += widthOf(segment);
  return columns;
}

/** Cuts text to at most `columns`, between graphemes, with an ellipsis. */
export function fit(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let kept = '';
  let used = 1;
  for (const { segment } of graphemes.segment(text)) {
    used += widthOf(segment);
    if (used > columns) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Pads text with spaces to `columns`. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - width(text)));
}

const ASCII = /^[\x20-\x7e]*$/;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** East Asian wide and full-width ranges that occur in names (Unicode UAX 11), and emoji: two columns each. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

function widthOf(grapheme: string): number {
  if (WIDE.test(grapheme)) return 2;
  return /^[\p{Mark}\p{Format}]+$/u.test(grapheme) ? 0 : 1;
}
