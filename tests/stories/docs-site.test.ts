import { describe, expect, test } from 'vitest';
import { expectAccessible, useBrowser } from '../support/browser.ts';
import { hasChromium } from '../support/find-servers.ts';
import { useServer } from '../support/story.ts';

/* The documentation as the build wrote it: `npm test` builds before it runs. */

const story = useServer({ env: { PLAT_DISPATCH: 'false', PLAT_TRUSTED_PROXIES: '127.0.0.0/8' } });
const get = (path: string, init?: RequestInit) => fetch(`${story.server.baseUrl}${path}`, init);

test('/docs and the address of a page without its slash lead to the page', async () => {
  for (const [path, query, title] of [
    ['/docs', '', 'Plat documentation'],
    ['/docs/webhooks', '', 'Webhooks'],
    ['/docs/reference/clients', '', 'Clients'],
    ['/docs/cli', '', 'Reference of plat'],
    ['/docs/cli/webhooks', '', 'plat webhooks'],
    ['/docs/search', '?q=rotate+secret', 'Search'],
  ] as const) {
    const response = await get(path + query);
    expect(response.url).toBe(`${story.server.baseUrl}${path}/${query}`);
    expect(await response.text()).toContain(`<h1>${title}</h1>`);
  }
});

test.each(['/docs/cli-reference', '/docs/cli-reference/'])(
  '%s of an earlier release leads to the reference of plat',
  async (path) => {
    const response = await get(path, { redirect: 'manual' });
    expect(response.status).toBe(301);
    expect((await get(path)).url).toBe(`${story.server.baseUrl}/docs/cli/`);
  },
);

test('the start page leads each kind of user to three pages, and everyone to the reference', async () => {
  const page = await (await get('/docs/')).text();
  const cards = page.split('<section>').filter((section) => section.includes('<em>For '));
  expect(cards.map((card) => /<em>(.*?)<\/em>/.exec(card)?.[1])).toEqual([
    'For integrators',
    'For receivers',
    'For developers and support',
    'For operators',
  ]);
  for (const card of cards) {
    expect(card).toContain('<div class="code">');
    const links = [...card.matchAll(/<li><a href="([^"]+)"/g)].map(([, address = '']) => address);
    expect(links).toHaveLength(3);
    for (const address of links) expect((await get(`/docs/${address}`)).status, address).toBe(200);
  }
  expect(page).toContain('<a href="reference/">API reference</a>');
});

test('each group of commands has a page, whose commands are anchors, below a folding entry of the navigation', async () => {
  const overview = await (await get('/docs/cli/')).text();
  const [, table = ''] = overview.split('id="the-api-of-a-tenant"');
  const groups = [...table.matchAll(/<a href="([a-z]+\/)"><code>/g)].map(([, address = '']) => address);
  expect(groups).toContain('webhooks/');
  for (const group of groups) {
    const page = await (await get(`/docs/cli/${group}`)).text();
    expect(page).toContain(`<h1>plat ${group.slice(0, -1)}</h1>`);
    expect(page, group).toMatch(/<ul class="nav-below">[\s\S]*aria-current="page">plat [a-z]+</);
  }
  const webhooks = await (await get('/docs/cli/webhooks/')).text();
  expect(webhooks).toContain('<h3 id="plat-webhooks-endpoints-rotate-secret">');
  expect(webhooks).toContain('href="#plat-webhooks-endpoints-rotate-secret"');
  // Elsewhere the entry is closed: the groups would fill the navigation.
  const guide = await (await get('/docs/console/')).text();
  expect(guide).toContain('href="../cli/">Reference of plat</a>');
  expect(guide).not.toContain('class="nav-link" href="../cli/webhooks/"');
});

test('the pages come completely from this server, and their policy permits nothing else', async () => {
  const page = await get('/docs/webhooks/');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toMatch(/https?:|\*|unsafe-/);
  const files = [...(await page.text()).matchAll(/<(?:script|link)[^>]*(?:src|href)="([^"]+)"/g)];
  expect(files).toHaveLength(4);
  for (const [, path = ''] of files) {
    const file = await fetch(new URL(path, page.url));
    expect([path, file.status, file.headers.get('x-content-type-options')]).toEqual([path, 200, 'nosniff']);
  }
});

test('a page is compressed where the client accepts it, and is revalidated by its ETag', async () => {
  const plain = await get('/docs/errors/', { headers: { 'accept-encoding': 'identity' } });
  const gzipped = await get('/docs/errors/', { headers: { 'accept-encoding': 'gzip' } });
  expect([plain, gzipped].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip']);
  expect(gzipped.headers.get('vary')).toBe('Accept-Encoding');
  expect(await gzipped.text()).toBe(await plain.text());
  const etag = gzipped.headers.get('etag') ?? '';
  expect(etag).not.toBe(plain.headers.get('etag'));
  const again = await get('/docs/errors/', { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

test.each([
  '/docs/nothing',
  '/docs/nothing/',
  '/docs//',
  '/docs/../package.json',
  '/docs/%2e%2e%2fsearch.ts',
  '/docs/webhooks/index',
])('%s is not found', async (path) => {
  expect((await get(path)).status).toBe(404);
});

test('without script, the server searches', async () => {
  const page = await (await get('/docs/search/?q=rotate+secret')).text();
  const hits = [...page.matchAll(/<li><a href="\.\.\/([^"]+)"><b>([^<]+)</g)].map(([, address, title]) => ({
    address,
    title,
  }));
  expect(hits[0]).toEqual({ address: 'webhooks/#rotating-the-secret', title: 'Rotating the secret' });
  const question = await (await get('/docs/search/?q=How+do+I+rotate+the+secret')).text();
  expect(question).toContain('<a href="../webhooks/#rotating-the-secret">');
  const code = await (await get('/docs/search/?q=SLUG_IN_USE')).text();
  expect(code).toContain('<a href="../errors/#SLUG_IN_USE">');
  const command = await (await get('/docs/search/?q=webhooks+endpoints+rotate-secret')).text();
  expect(command).toContain('<a href="../cli/webhooks/#plat-webhooks-endpoints-rotate-secret">');
  const hostile = await (await get('/docs/search/?q=%3Cscript%3Ezzqq')).text();
  expect(hostile).toContain('Nothing found for “&lt;script&gt;zzqq”.');
  // Words behind the 200th character do not count, so a long word cannot use up the server's memory.
  const long = await (await get(`/docs/search/?q=rotate+secret${'+'.repeat(200)}zzqq`)).text();
  expect(long).toContain('<a href="../webhooks/#rotating-the-secret">');
  // A search can cost as much as a hundred pages, so a network has few of them.
  const from = { headers: { 'x-forwarded-for': '203.0.113.1' } };
  const search = async () => (await get('/docs/search/index.html?q=zzqq', from)).status;
  const many = await Promise.all(Array.from({ length: 61 }, search));
  expect(many.filter((status) => status === 429)).toHaveLength(1);
  expect((await get('/docs/search/?q=zzqq', from)).status).toBe(429);
  expect((await get('/docs/search/', from)).status).toBe(200);
});

describe.runIf(hasChromium())('in Chromium', () => {
  const browser = useBrowser();

  test('pages of every kind pass axe, light and dark, at 390 and 1440 px, and nothing is cut off', async () => {
    const paths = [
      '',
      'getting-started/',
      'errors/',
      'architecture/',
      'cli/',
      'cli/webhooks/',
      'reference/',
      'reference/clients/',
      'search/?q=client',
    ];
    for (const width of [390, 1440]) {
      const page = await browser.newPage({ viewport: { width, height: 900 } });
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      for (const path of paths) {
        await page.goto(`${story.server.baseUrl}/docs/${path}`);
        await expectAccessible(page);
        expect(await page.evaluate<number>('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(width);
      }
      expect(complaints).toEqual([]);
      await page.context().close();
    }
  });

  test('a search with the keyboard finds a misspelled word and the answer to a question, and Escape closes the list', async () => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${story.server.baseUrl}/docs/glossary/`);
    await page.keyboard.press('/');
    await page.keyboard.type('idempotncy');
    await page.waitForSelector('#found a');
    await expectAccessible(page, '#found');
    await page.keyboard.press('Escape');
    expect(await page.isHidden('#found')).toBe(true);
    await page.keyboard.type('What is idempotency');
    await page.waitForSelector('#found a');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/idempotency/);
  });

  test('an operation of the reference opens in the Explorer after the sign-in', async () => {
    const page = await browser.newPage();
    await page.goto(`${story.server.baseUrl}/docs/reference/clients/`);
    const link = await page.getAttribute('section[aria-labelledby="clients.create"] a[href*=explorer]', 'href');
    expect(new URL(link ?? '', page.url()).href).toBe(
      `${story.server.baseUrl}/console/explorer?operation=clients.create`,
    );
  });
});
