import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestServer } from '@plat/server/testing';
import { chromium } from 'playwright-core';
import { apiOf } from '../support/api.ts';
import { signedInDeveloper } from '../support/developer.ts';
import { findProgram } from '../support/find-servers.ts';
import { PAGES } from './pages.ts';

const FOLDER = 'screenshots';
const WIDTHS = [1440, 390] as const;
const [part = ''] = process.argv.slice(2);

const executablePath = findProgram('chromium');
if (!executablePath) throw new Error('screenshots need chromium in the path');
await mkdir(FOLDER, { recursive: true });
const server = await createTestServer();
const browser = await chromium.launch({ executablePath });
try {
  const developer = await signedInDeveloper(server);
  const api = apiOf(server.baseUrl, developer.apiKey);
  const url = 'https://receiver.example/hooks';
  await api('/v1/webhooks/endpoints', { body: { url, events: ['*'], description: 'Billing' } });
  for (const name of ['Acme', 'Globex', 'Initech', 'Acme']) await api('/v1/clients', { body: { name } });
  await api('/v1/clients', { body: { name: '', slug: 'Not a slug' } });
  await server.idle();
  const [cookieName = '', value = ''] = developer.session.cookie.split('=');
  for (const [name, pathOf] of Object.entries(PAGES).filter(([each]) => each.includes(part))) {
    const path = await pathOf(api);
    for (const width of WIDTHS) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
        await context.addCookies([{ name: cookieName, value, url: server.baseUrl }]);
        const page = await context.newPage();
        await page.goto(server.baseUrl + path);
        const file = join(FOLDER, `${name}-${width}-${colorScheme}.png`);
        await page.screenshot({ path: file, fullPage: true });
        process.stdout.write(`${file}\n`);
        await context.close();
      }
    }
  }
} finally {
  await browser.close();
  await server.close();
}
