import { relativeLink } from './addresses.ts';
import { CONTENTS } from './contents.ts';
import type { SitePage } from './page.ts';

/** An entry of the navigation. A folder shows its pages only while one of them is open. */
export interface NavEntry {
  readonly page: SitePage;
  readonly below: readonly SitePage[];
}

export interface NavGroup {
  readonly title: string;
  readonly entries: readonly NavEntry[];
}

/**
 * Orders the pages by {@link CONTENTS}. A folder of Markdown that it does not name becomes a group. Any other page that
 * it does not name is in the last group.
 */
export function navigationOf(pages: readonly SitePage[]): readonly NavGroup[] {
  const left = new Set(pages);
  const take = (matches: (page: SitePage) => boolean) => {
    const taken = [...left].filter(matches);
    for (const page of taken) left.delete(page);
    return taken;
  };
  const named = CONTENTS.map(({ title, pages: wanted }) => ({
    title,
    entries: wanted.flatMap((place) =>
      entriesOf(
        take((page) => isAt(page, place)),
        place,
      ),
    ),
  }));
  const folders = Map.groupBy(left, ({ address }) => address.split('/', 1)[0] ?? '');
  const unnamed = [...folders].flatMap(([name, inside]) => {
    if (inside.every(({ address }) => address === `${name}/`)) return [];
    take((page) => inside.includes(page));
    const title = inside.find(({ address }) => address === `${name}/`)?.title ?? name;
    return [{ title, entries: entriesOf(inside, `docs/${name}/`) }];
  });
  const last = { title: 'More', entries: [...left].map((page) => ({ page, below: [] })) };
  return [...named, ...unnamed, last].filter(({ entries }) => entries.length > 0);
}

/** Returns the pages in the order of the navigation, for the links to the previous and the next one. */
export function inOrder(groups: readonly NavGroup[]): readonly SitePage[] {
  return groups.flatMap(({ entries }) => entries.flatMap(({ page, below }) => [page, ...below]));
}

/** A place is a file, an address of a generated page, or a folder of either. */
function isAt({ source, address }: SitePage, place: string): boolean {
  const of = source ?? address;
  return of === place || (place.endsWith('/') && of.startsWith(place));
}

/** The page of a folder has the others below it, in the order of its links if it is a file; without one they are all entries. */
function entriesOf(pages: readonly SitePage[], place: string): readonly NavEntry[] {
  const index = pages.find(({ source, address }) => source === `${place}README.md` || address === place);
  if (!index) return pages.map((page) => ({ page, below: [] }));
  const below = pages.filter((page) => page !== index);
  return [{ page: index, below: index.source === null ? below : inOrderOfLinks(below, index) }];
}

function inOrderOfLinks(pages: readonly SitePage[], { address, body }: SitePage): readonly SitePage[] {
  const links = [...body.toString().matchAll(/ href="([^"#]+)/g)].map(([, link]) => link);
  const placeOf = (page: SitePage) => {
    const at = links.indexOf(relativeLink(address, page.address));
    return at < 0 ? links.length : at;
  };
  return pages.toSorted((one, other) => placeOf(one) - placeOf(other));
}
