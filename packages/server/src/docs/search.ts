import MiniSearch, { type Options } from 'minisearch';
import { html } from '../http/html.ts';
import { MAX_QUERY_LENGTH, RESULTS_PLACE } from './search-page.ts';
import type { siteFiles } from './site-files.ts';

const MAX_RESULTS = 50;

/** Words of a query that are searched. Each short one has the cost of all words that it begins. */
const MAX_WORDS = 8;

interface Hit {
  readonly title: string;
  readonly page: string;
  readonly address: string;
  readonly start: string;
}

interface Search {
  readonly index: MiniSearch;
  readonly stopWords: readonly string[];
}

let loaded: Promise<Search> | undefined;

/** Returns the search page with the results of a query, for a browser without script. */
export async function searchResults(files: ReturnType<typeof siteFiles>, page: string, query: string): Promise<string> {
  loaded ??= load(files).catch((error: unknown) => {
    // A later query tries again.
    loaded = undefined;
    throw error;
  });
  const { index, stopWords } = await loaded;
  const words = query.slice(0, MAX_QUERY_LENGTH).split(/[\s\p{P}]+/u);
  const asked = words.filter((word) => !stopWords.includes(word.toLowerCase()));
  const searched = (asked.length === 0 ? words : asked).slice(0, MAX_WORDS).join(' ');
  const hits = index
    .search(searched, { boostDocument: (_id, _term, stored) => Number(stored?.['weight']) })
    .slice(0, MAX_RESULTS) as unknown as readonly Hit[];
  const list =
    hits.length === 0
      ? html`<p>Nothing found for “${query}”.</p>`
      : html`<ul class="hits">${hits.map(
          ({ title, page: on, address, start }) =>
            html`<li><a href="../${address}"><b>${title}</b></a><span>${on === title ? start : `${on} · ${start}`}</span></li>\n`,
        )}</ul>`;
  return page.replace(RESULTS_PLACE, () => list.toString());
}

async function load(files: ReturnType<typeof siteFiles>): Promise<Search> {
  const file = await files.find('search-index.json');
  if (!file) throw new Error('The documentation has no search index');
  const { options, stopWords, index }: { options: Options; stopWords: string[]; index: string } = JSON.parse(
    file.plain.bytes.toString(),
  );
  return { index: MiniSearch.loadJSON(index, options), stopWords };
}
