import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestServer, type TestSession } from '@plat/server/testing';
import { chromium } from 'playwright-core';
import { findProgram } from '../support/find-servers.ts';
import { createWorld } from './world.ts';

/*
 * Writes pictures of the rooms to screenshots/, at 1440 and 390 px, in light and dark. Arguments select pictures by a part
 * of their names.
 */

const FOLDER = 'screenshots';
const SHAPES = [
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 1440, height: 900, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const;

const executablePath = findProgram('chromium');
if (!executablePath) throw new Error('npm run screenshots needs chromium in the path');
const wanted = process.argv.slice(2);
const server = await createTestServer();
const browser = await chromium.launch({ executablePath });
const world = await createWorld(server);
try {
  const sessions = [world.developer.session, await server.signInAdmin(world.ownerId)];
  await mkdir(FOLDER, { recursive: true });
  for (const { width, height, colorScheme } of SHAPES) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' });
    await context.addCookies(sessions.map(cookieOf));
    const page = await context.newPage();
    for (const [name, path] of Object.entries(world.pages)) {
      const file = `${name}-${width}-${colorScheme}.png`;
      if (wanted.length > 0 && !wanted.some((part) => file.includes(part))) continue;
      await page.goto(server.baseUrl + path);
      await page.screenshot({ path: join(FOLDER, file), fullPage: true });
      process.stdout.write(`${FOLDER}/${file}\n`);
    }
    await context.close();
  }
} finally {
  await browser.close();
  await server.close();
  await world.close();
}

function cookieOf({ cookie }: TestSession) {
  const [name = '', value = ''] = cookie.split('=');
  return { name, value, url: server.baseUrl };
}
