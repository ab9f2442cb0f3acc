import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { ALL_APP_EVENT_TYPES, ALL_EVENT_TYPES } from '@plat/contract';
import { expect, test } from 'vitest';
import { openApiDocument } from '../../surface.ts';
import { buildSite } from './build-site.ts';
import { CONTENTS } from './contents.ts';
import { openRepository, type Repository } from './repository.ts';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const repository = openRepository(root);
const document = openApiDocument('http://127.0.0.1:4010');
const { files, brokenLinks } = buildSite({ repository, document, console: '../console' });
const pages = [...files].flatMap(([path, content]) =>
  path.endsWith('index.html') ? [{ path, html: String(content) }] : [],
);

/** Bytes of a page with its style sheet and scripts, compressed. The search index is loaded with the first search. */
const MAX_PAGE_BYTES = 100 * 1024;

test('no link of the Markdown is broken: neither its file nor its heading', () => {
  expect(brokenLinks).toEqual([]);
});

test('a result of the search shows no markup of the API reference', () => {
  const { index } = JSON.parse(String(files.get('search-index.json')));
  const stored: { address: string; start: string }[] = Object.values(JSON.parse(index).storedFields);
  const reference = stored.filter(({ address }) => address.startsWith('reference/'));
  expect(reference.length).toBeGreaterThan(100);
  expect(reference.filter(({ start }) => start.includes('`'))).toEqual([]);
});

test('every link of every page leads to a file of the site, to its heading, or to the console', () => {
  const ids = new Map(pages.map(({ path, html }) => [path, new Set(valuesOf(html, 'id'))]));
  const broken = pages.flatMap(({ path, html }) =>
    [...valuesOf(html, 'href'), ...valuesOf(html, 'src')].flatMap((link) => {
      const { origin, pathname, hash } = new URL(link, `http://site/docs/${path}`);
      if (origin !== 'http://site' || pathname.startsWith('/console/')) return [];
      const file = pathname.replace(/^\/docs\//, '').replace(/(^|\/)$/, '$1index.html');
      const isFound = files.has(file) && (hash === '' || ids.get(file)?.has(decodeURIComponent(hash.slice(1))));
      return isFound || hash === '#main' || hash === '#nav' ? [] : [`${path}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});

test('an id is on its page once, and no page has inline code', () => {
  const wrong = pages.flatMap(({ path, html }) => {
    const ids = valuesOf(html, 'id');
    const repeated = ids.filter((id, i) => ids.indexOf(id) !== i);
    const inline = html.match(/<script(?![^>]*\bsrc=)|<style|\sstyle="|\son\w+="/g) ?? [];
    return [...repeated, ...inline].map((found) => `${path}: ${found}`);
  });
  expect(wrong).toEqual([]);
});

test('a page with all that it loads has at most 100 KB', () => {
  const common = ['style.css', 'page.js', 'search.js', 'icon.svg'].reduce((sum, name) => sum + bytesOf(name), 0);
  const large = pages.filter(({ path }) => bytesOf(path) + common > MAX_PAGE_BYTES).map(({ path }) => path);
  expect(large).toEqual([]);
});

test('the navigation names only pages that exist, and every page is in it', () => {
  const sources = new Set(repository.pages);
  const missing = CONTENTS.flatMap((group) => group.pages).filter(
    (place) => place.endsWith('.md') && !sources.has(place),
  );
  expect(missing).toEqual([]);
  for (const { path, html } of pages) {
    if (path !== 'search/index.html') expect(html, path).toContain('aria-current="page"');
  }
});

test('a folder of Markdown that the navigation does not name appears in it', () => {
  const texts: Readonly<Record<string, string>> = {
    'docs/README.md': '# Home\n',
    'docs/extra/README.md': '# Something extra\n\n[One](one.md)\n',
    'docs/extra/one.md': '# One\n\n## Part\n',
  };
  const small: Repository = {
    ...repository,
    pages: Object.keys(texts),
    changesets: [],
    changelogs: [],
    read: (path) => texts[path] ?? '',
  };
  const site = buildSite({ repository: small, document, console: null });
  expect(site.brokenLinks).toEqual([]);
  const page = String(site.files.get('extra/one/index.html'));
  expect(page).toContain('<summary class="nav-label">Something extra</summary>');
  expect(page).toMatch(/href="\.\/" aria-current="page">One</);
  expect(page).toContain(`href="${repository.webPage}/edit/main/docs/extra/one.md"`);
  // Without a server, no operation links to an Explorer.
  expect(String(site.files.get('reference/clients/index.html'))).not.toContain('explorer');
});

test('the pages of a folder are in the order in which its page links them', () => {
  const page = String(files.get('api/index.html'));
  const [, below = ''] = page.split(/href="\.\/" aria-current="page">[^<]*<\/a>/);
  const names = [...(below.split('</ul>')[0] ?? '').matchAll(/>(@plat\/[^<]+)</g)].map(([, name]) => name);
  expect(names.slice(0, 3)).toEqual(['@plat/sdk', '@plat/sdk/oauth', '@plat/sdk/developer']);
  // Each import once.
  expect(names).toEqual([...new Set(names)]);
});

test('the events of tenants and of apps are in the reference, each with its condition as one sentence', () => {
  const page = String(files.get('reference/events/index.html'));
  for (const type of [...ALL_EVENT_TYPES, ...ALL_APP_EVENT_TYPES]) expect(page).toContain(`<h2 id="${type}">`);
  expect(pages.filter(({ html }) => /\.\.<\/p>/.test(html)).map(({ path }) => path)).toEqual([]);
});

test('a broken link is named with its page', () => {
  const small: Repository = {
    ...repository,
    pages: ['docs/README.md', 'docs/b.md'],
    read: (path) => (path === 'docs/b.md' ? '# B\n' : '# Home\n\n[x](missing.md) [y](b.md#nothing)\n'),
  };
  expect(buildSite({ repository: small, document, console: null }).brokenLinks).toEqual([
    'docs/README.md: no file for missing.md',
    'docs/README.md: no heading for b.md#nothing',
  ]);
});

test('an operation has its parameters, errors with cause and fix, events, samples and the link to the Explorer', () => {
  const page = String(files.get('reference/clients/index.html'));
  const [, operation = ''] = page.split('<section aria-labelledby="clients.create">');
  for (const part of [
    '<code>name</code>',
    '<code>Idempotency-Key</code>',
    'SLUG_IN_USE',
    'href="../events/#client.created"',
  ])
    expect(operation).toContain(part);
  expect(operation).toContain('href="../../../console/explorer?operation=clients.create"');
  for (const label of ['curl', 'SDK', 'plat', 'Response']) expect(operation).toContain(`aria-label="${label}"`);
});

test('the output in a recorded session is not coloured as a program', () => {
  const page = String(files.get('cli-session/index.html'));
  expect(page).toMatch(/\$ <\/span><span class="language-bash">npx plat me/);
  expect(page).toMatch(/\nid {2,}cli_/);
});

test('a list shows that it can be null, and how many items it has', () => {
  const page = String(files.get('reference/webhooks/index.html'));
  expect(page).toMatch(/<code>response_headers<\/code> <span>list of [^<]* or null/);
  expect(page).toMatch(/<code>events<\/code> <span>list of [^<]*, 1 to \d+ items/);
});

function valuesOf(html: string, attribute: string): string[] {
  return [...html.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&amp;', '&'),
  );
}

function bytesOf(path: string): number {
  return gzipSync(files.get(path) ?? '').byteLength;
}
