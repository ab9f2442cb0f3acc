import type { Section } from './page.ts';

/** Collects the text below each heading. A named row of a table is a section by itself: an error, a variable. */
export function createSections() {
  const all: { anchor: string | null; title: string; words: string[] }[] = [];
  let outer: (typeof all)[number] | null = null;
  const open = (anchor: string | null, title: string) => void all.push({ anchor, title, words: [] });
  return {
    open,
    openRow(name: string) {
      outer = all.at(-1) ?? null;
      open(name, name);
    },
    closeRow() {
      if (outer) open(outer.anchor, outer.title);
      outer = null;
    },
    add: (text: string) => void all.at(-1)?.words.push(text),
    all: (): readonly Section[] =>
      all
        .filter(({ words }) => words.length > 0)
        .map(({ anchor, title, words }) => ({ anchor, title, text: words.join(' ') })),
  };
}
