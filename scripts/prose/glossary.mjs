import { at } from '../lib/paths.mjs';

/** The glossary: readers use its first two columns, the prose check its third. */
export const glossaryFile = at('docs', 'glossary.md');

/**
 * Reads the rejected wordings from the glossary's tables. A wording between backticks in the last column is rejected;
 * other text in that column is advice.
 * @param {string} markdown the text of docs/glossary.md
 * @returns {{ wording: string, use: string }[]} in the order of the page; `use` is the term to write instead
 */
export function rejectedWordings(markdown) {
  return markdown.split('\n').flatMap((line) => {
    const cells = line.split('|').slice(1, -1);
    if (cells.length < 3) return [];
    const use = cells[0].replaceAll('`', '').trim();
    return [...cells.at(-1).matchAll(/`([^`]+)`/g)].map(([, wording]) => ({ wording: wording.toLowerCase(), use }));
  });
}
