import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ICON, SCRIPT_FILE } from '../../http/assets.ts';
import type { OpenApiDocument } from '../../openapi/openapi-document.ts';
import { addressOf, relativeLink, resolveTarget } from './addresses.ts';
import { changelogText } from './changelog.ts';
import { framed, SEARCH_PAGE, type SiteFiles } from './frame.ts';
import { renderMarkdown } from './markdown.ts';
import { inOrder, navigationOf } from './navigation.ts';
import type { SitePage } from './page.ts';
import { referencePages } from './reference-pages.ts';
import type { Repository } from './repository.ts';
import { searchIndexOf } from './search-index.ts';
import { SITE_STYLE } from './style.ts';

interface SiteSources {
  readonly repository: Repository;
  readonly document: OpenApiDocument;
  /** Address of the console, absolute or relative to the root of the site; null without a console. */
  readonly console: string | null;
}

const FILES: SiteFiles = { style: 'style.css', script: 'page.js', search: 'search.js', icon: 'icon.svg' };

interface Site {
  /** Files by their paths. */
  readonly files: ReadonlyMap<string, string | Buffer>;
  /** Links whose page, file or heading does not exist, one line each. */
  readonly brokenLinks: readonly string[];
}

/** Builds the documentation. */
export function buildSite({ repository, document, console }: SiteSources): Site {
  const brokenLinks: string[] = [];
  const assets = new Map<string, Buffer>();
  const wanted: Link[] = [];
  const links = (source: string, address: string) => (href: string) => {
    const target = resolveTarget(repository, source, href);
    if (target.kind === 'missing') brokenLinks.push(`${source}: no file for ${href}`);
    if ('href' in target) return target.href;
    const { path, fragment } = target;
    if (target.kind === 'asset') assets.set(path.replace(/^docs\//, ''), repository.readBytes(path));
    else if (fragment !== '') wanted.push({ source, href, address: addressOf(path), fragment });
    const to = target.kind === 'asset' ? path.replace(/^docs\//, '') : addressOf(path);
    return relativeLink(address, to) + (fragment && `#${fragment}`);
  };
  const markdownPage = (source: string): SitePage => {
    const address = addressOf(source);
    const rendered = renderMarkdown(repository.read(source), links(source, address));
    // Its heading is the name of the project, which is also the name of a command.
    return { address, source, ...rendered, ...(source === 'README.md' && { shortTitle: 'Overview' }) };
  };
  const pages = [
    ...repository.pages.map(markdownPage),
    { address: 'changelog/', source: null, ...renderMarkdown(changelogText(repository), links('docs', 'changelog/')) },
    ...referencePages(document, console, (address) => links('docs/errors.md', address)),
  ];
  brokenLinks.push(...withoutHeading(pages, wanted));

  const groups = navigationOf(pages);
  const ordered = inOrder(groups);
  const html = [...pages, SEARCH_PAGE].map((page): [string, string] => {
    const i = ordered.indexOf(page);
    const [previous, next] = i < 0 ? [] : [ordered[i - 1], ordered[i + 1]];
    const editLink = page.source === null ? null : repository.linkTo(page.source, 'edit');
    return [`${page.address}index.html`, framed({ page, groups, files: FILES, previous, next, editLink }).toString()];
  });
  const files = new Map<string, string | Buffer>([
    ...html,
    ...assets,
    [FILES.style, SITE_STYLE],
    [FILES.script, SCRIPT_FILE.body],
    [FILES.icon, ICON.body],
    [FILES.search, readFileSync(new URL('../browser/search.js', import.meta.url))],
    ['minisearch.js', readFileSync(join(dirname(MINISEARCH), '../es/index.js'))],
    ['openapi.json', JSON.stringify(document)],
    ['search-index.json', searchIndexOf(pages)],
  ]);
  return { files, brokenLinks };
}

/** The library of the search, as a CommonJS file; its form for browsers is beside it. */
const MINISEARCH = createRequire(import.meta.url).resolve('minisearch');

interface Link {
  readonly source: string;
  readonly href: string;
  readonly address: string;
  readonly fragment: string;
}

function withoutHeading(pages: readonly SitePage[], wanted: readonly Link[]): readonly string[] {
  const anchors = new Map(pages.map(({ address, body }) => [address, idsIn(body.toString())]));
  return wanted
    .filter(({ address, fragment }) => !anchors.get(address)?.has(fragment))
    .map(({ source, href }) => `${source}: no heading for ${href}`);
}

function idsIn(markup: string): ReadonlySet<string> {
  return new Set([...markup.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));
}
