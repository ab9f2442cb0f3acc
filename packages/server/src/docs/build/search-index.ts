import MiniSearch from 'minisearch';
import type { SitePage } from './page.ts';

/** Options of the index and of its queries. They are stored with it, so that browser and server search alike. */
const OPTIONS = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'address', 'start', 'weight'],
  searchOptions: { prefix: true, fuzzy: 0.2, combineWith: 'AND', boost: { title: 4, page: 2 } },
} as const;

/** Pages that repeat the words of the guides come after them: start of the address → weight. The first that fits counts. */
const QUIET = [
  ['reference/developer/', 0.4],
  ['reference/', 0.7],
  ['cli/', 0.4],
  ['decisions/', 0.4],
  ['changelog/', 0.4],
  ['api/', 0.4],
] as const;

/** Words of questions that are in most sections. Queries leave them out, unless they have no other word. */
const STOP_WORDS = [
  'a',
  'an',
  'and',
  'can',
  'do',
  'does',
  'for',
  'from',
  'how',
  'i',
  'in',
  'is',
  'my',
  'of',
  'on',
  'the',
  'to',
  'what',
  'with',
];

/** Maximum number of characters of a section that a result shows. */
const SHOWN = 140;

/** Returns the index of all sections as JSON. */
export function searchIndexOf(pages: readonly SitePage[]): string {
  const { fields, storeFields } = OPTIONS;
  const index = new MiniSearch({ fields: [...fields], storeFields: [...storeFields] });
  const sections = pages.flatMap((page) => sectionsOf(page).map((section) => ({ page, ...section })));
  index.addAll(
    sections.map(({ page, anchor, title, text }, id) => ({
      id,
      page: page.title,
      title,
      text,
      address: page.address + (anchor === null ? '' : `#${anchor}`),
      weight: QUIET.find(([folder]) => page.address.startsWith(folder))?.[1] ?? 1,
      start: startOf(text.replaceAll(/\s+/g, ' ')),
    })),
  );
  return JSON.stringify({ options: OPTIONS, stopWords: STOP_WORDS, index: JSON.stringify(index) });
}

/** The references of the libraries have a heading for each parameter: only their exports are found. */
function sectionsOf({ address, headings, sections }: SitePage): SitePage['sections'] {
  if (!address.startsWith('api/')) return sections;
  const deep = new Set(headings.filter(({ level }) => level > 3).map(({ anchor }) => anchor));
  return sections.filter(({ anchor }) => anchor === null || !deep.has(anchor));
}

/** Returns the first words of a text. */
function startOf(text: string): string {
  if (text.length <= SHOWN) return text;
  const end = text.lastIndexOf(' ', SHOWN);
  return `${text.slice(0, end > 0 ? end : SHOWN)} …`;
}
