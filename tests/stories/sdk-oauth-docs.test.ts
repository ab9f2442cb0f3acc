import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decideConsent } from '../support/consent.ts';
import { freePort } from '../support/free-port.ts';
import { type NodeProcess, repository, spawnNode } from '../support/process.ts';
import { useServer } from '../support/story.ts';

const story = useServer();
/** Makes the installed packages of the repository available to a program. */
const folder = join(repository, 'node_modules/.cache/plat-docs', String(process.pid));
beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the marked block of a page. */
function block(page: string, mark: string): string {
  const [, code = ''] =
    new RegExp(`^\`\`\`js ${mark}\n([\\s\\S]*?)^\`\`\``, 'm').exec(readFileSync(join(repository, page), 'utf8')) ?? [];
  expect(code).not.toBe('');
  return code;
}

/**
 * Starts the app of the page. Its port is part of its redirect URI, and another process may have taken it meanwhile.
 */
async function startApp(triesLeft = 3): Promise<{ home: string; running: NodeProcess }> {
  const port = await freePort();
  const home = `http://127.0.0.1:${port}`;
  const app = await story.server.createApp({ redirectUris: [`${home}/callback`] });
  writeFileSync(join(folder, 'app.mjs'), block('docs/oauth.md', 'app'));
  const env = {
    PORT: String(port),
    PLAT_BASE_URL: story.server.baseUrl,
    PLAT_CLIENT_ID: app.appId,
    PLAT_CLIENT_SECRET: app.clientSecret,
  };
  const running = spawnNode(join(folder, 'app.mjs'), { env, cwd: folder });
  const [said] = await running.waitFor(/^Open http|EADDRINUSE/m);
  return said === 'EADDRINUSE' && triesLeft > 1 ? startApp(triesLeft - 1) : { home, running };
}

test('the app of "OAuth in ten minutes" connects a tenant and acts for it', async () => {
  const tenant = await story.server.createTenant();
  const { home, running } = await startApp();
  const connect = await fetch(`${home}/connect`, { redirect: 'manual' });
  const cookie = connect.headers.get('set-cookie')?.split(';')[0] ?? '';
  const visit = (url: string) => fetch(url, { redirect: 'manual', headers: { cookie } });
  const owner = await story.server.signInAdmin(tenant.ownerId);
  const callback = await decideConsent(connect.headers.get('location') ?? '', owner);
  expect((await visit(callback)).headers.get('location')).toBe('/clients');
  expect(await (await visit(`${home}/clients`)).json()).toMatchObject({ object: 'list', data: [] });

  // A page that is loaded again, an unexpected callback, and two callbacks with errors.
  const begun = async (answer: object) => {
    const url = new URL((await visit(`${home}/connect`)).headers.get('location') ?? '');
    const state = url.searchParams.get('state') ?? '';
    return visit(`${home}/callback?${new URLSearchParams({ code: 'plat_ac_x', state, ...answer })}`);
  };
  for (const [code, answer] of [
    ['STATE_MISMATCH', await visit(callback)],
    ['STATE_MISMATCH', await fetch(`${home}/callback?code=x&state=y`)],
    ['ISSUER_MISMATCH', await begun({ iss: 'https://other.example' })],
    ['INVALID_GRANT', await begun({ iss: story.server.baseUrl })],
  ] as const) {
    expect(await answer.text()).toBe(`${code}: <a href="/connect">start again</a>`);
    expect(answer.status).toBe(400);
  }

  const stranger = await fetch(`${home}/clients`, { redirect: 'manual' });
  expect(stranger.headers.get('location')).toBe('/connect');
  const second = await visit(`${home}/connect`);
  const denied = await decideConsent(second.headers.get('location') ?? '', owner, 'deny');
  expect((await visit(denied)).status).toBe(403);
  await running.stop();
});
