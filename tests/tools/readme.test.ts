import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ERROR_CODES } from '@plat/contract';
import { signTestEvent } from '@plat/webhooks/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { blocks, runCommands, startCommand } from '../support/documented-commands.ts';
import { type NodeProcess, repository, spawnNode } from '../support/process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const read = (path: string): string => readFileSync(join(repository, path), 'utf8');
const readme = read('README.md');
const session = read('docs/cli-session.md');
const repositoryUrl: string = JSON.parse(read('package.json')).repository.url;
const REPOSITORY_PAGE = new RegExp(`${repositoryUrl.slice('git+'.length, -'.git'.length)}/(?:blob|tree)/main/`, 'g');

describe("the README's commands", () => {
  const folder = tempFolder('readme');
  const running: NodeProcess[] = [];
  afterAll(async () => {
    // The server last: a receiver may print something after it.
    for (const started of running.reverse()) await started.stop();
    folder.remove();
  });

  it('work as documented: from the start of the server to a verified client.created', async () => {
    for (const command of runCommands(readme)) {
      const started = startCommand(command, folder.path);
      running.push(started);
      if (command === 'npm start') await started.waitFor(/Ctrl-C stops/);
      else if (command.startsWith('node ')) await started.waitFor(/Listening on/);
      else expect(await started.exited, `${command}\n${started.stderr()}`).toEqual({ code: 0, signal: null });
    }
    const [server, receiver, create, ...others] = running;
    if (!server || !receiver || !create) throw new Error('the README runs a server, a receiver and a command');
    const [, clientId = ''] = await create.waitFor(/^id +(cli_\w+)$/m);
    await receiver.waitFor(new RegExp(`^verified +client\\.created +evt_\\w+ +client ${clientId} Acme$`, 'm'));
    for (const other of others) expect(other.stdout()).not.toBe('');

    // The README shows the actual output, except for ids and ports.
    const screen = /^[\s\S]*Ctrl-C stops\./.exec(server.stdout())?.[0] ?? '';
    expect([screen, receiver.stdout()].map(lines)).toEqual(blocks(readme, 'text output').map(lines));
  });
});

describe('the recorded session', () => {
  const folder = tempFolder('session');
  const env = { PORT: '0', LOG_LEVEL: 'warn', PLAT_DETERMINISTIC: '7' };
  const server = spawnNode('packages/server/src/main.ts', { env, cwd: folder.path });
  afterAll(async () => {
    await server.stop();
    folder.remove();
  });

  it('matches the output of its commands exactly', async () => {
    await server.waitFor(/Ctrl-C stops/, 60_000);
    for (const { command, shown } of sessionOf(session)) {
      expect(await printed(command, folder.path), command).toBe(shown);
    }
  });
});

describe('the example receiver', () => {
  const receiver = 'examples/webhook-receiver/index.js';

  it('with one secret prints each authentic event once, and the reason why it refuses another', async () => {
    const secret = 'whsec_mine';
    const started = spawnNode(receiver, { env: { PORT: '0', PLAT_WEBHOOK_SECRET: secret } });
    const [, url = ''] = await started.waitFor(/Listening on (\S+)/);
    const { event, ...delivery } = signTestEvent('client.created', { secret });
    const strange = signTestEvent('client.created', { secret: 'whsec_other' });
    const statuses: number[] = [];
    for (const { headers, body } of [delivery, delivery, strange]) {
      statuses.push((await fetch(url, { method: 'POST', headers, body })).status);
    }
    expect(statuses).toEqual([200, 200, 400]);
    await started.waitFor(/^refused .*secret/m);
    await started.stop();
    expect(started.stdout().match(new RegExp(event.id, 'g'))).toHaveLength(1);
  });

  it('with a secret for each tenant refuses an event of one tenant that another one signed', async () => {
    const PLAT_WEBHOOK_SECRETS = JSON.stringify({ tnt_a: 'whsec_a', tnt_b: 'whsec_b' });
    const started = spawnNode(receiver, { env: { PORT: '0', PLAT_WEBHOOK_SECRETS } });
    const [, url = ''] = await started.waitFor(/Listening on (\S+)/);
    const statusOf = async (tenantId: string, secret: string) => {
      const { headers, body } = signTestEvent('client.created', { tenantId, secret });
      return (await fetch(url, { method: 'POST', headers, body })).status;
    };
    expect(await statusOf('tnt_a', 'whsec_a')).toBe(200);
    expect(await statusOf('tnt_b', 'whsec_a')).toBe(400);
    expect(await statusOf('tnt_c', 'whsec_a')).toBe(400);
    await started.stop();
  });

  it('without a secret and a sandbox prints what to do, and exits with 1', async () => {
    const started = spawnNode(receiver, { env: { PORT: '0', PLAT_DATA_DIR: tempFolder('none').path } });
    expect(await started.exited).toEqual({ code: 1, signal: null });
    expect(started.stderr()).toMatch(/npm start[\s\S]*PLAT_WEBHOOK_SECRET/);
  });
});

describe('the documentation', () => {
  const pages = [
    ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'],
    ...['docs', 'examples', 'packages'].flatMap(markdownUnder),
  ];

  it.each(pages)('%s has no broken links', (page) => {
    // READMEs of packages name files of the repository by its page.
    const text = read(page).replaceAll(REPOSITORY_PAGE, '/');
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = '']) => target);
    const pathOf = (target: string) =>
      target.startsWith('/') ? join(repository, target) : resolve(repository, dirname(page), target);
    const broken = links.filter((target) => !existsSync(pathOf(target)));
    expect(broken).toEqual([]);
  });

  it('lists every decision record', () => {
    const records = markdownUnder('docs/decisions').map((page) => basename(page));
    const listed = [...read('docs/decisions/README.md').matchAll(/\]\((\d{3}-[^)]+)\)/g)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual(records.filter((name) => name !== 'README.md').toSorted());
  });

  it('has every error code with its status, and no other', () => {
    // The tables of other programs have an exit code in this column.
    const [ofApi = ''] = read('docs/errors.md').split('## Failed deliveries');
    const rows = [...ofApi.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \| (\d{3}) \|/gm)];
    const documented = Object.fromEntries(rows.map(([, code = '', status]) => [code, Number(status)]));
    const codes = Object.fromEntries(Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status]));
    expect(documented).toEqual(codes);
    expect(rows).toHaveLength(Object.keys(codes).length);
  });

  it('has every environment variable that the server reads, and no other', () => {
    const [, declared = ''] =
      /interface Environment \{([^}]*)\}/.exec(read('packages/server/src/config/environment.ts')) ?? [];
    const known = [...declared.matchAll(/^ *(\w+)\??:/gm)].map(([, name = '']) => name);
    const [, table = ''] = /## Configuration\n([\s\S]*?)\n## /.exec(read('docs/operating.md')) ?? [];
    const documented = [...table.matchAll(/^\| (`[A-Z_`, ]+`) \|/gm)].flatMap(
      ([, names = '']) => names.match(/\w+/g) ?? [],
    );
    expect(documented.sort()).toEqual(known.sort());
  });
});

/** Returns the commands of the recorded session, each with its documented output. */
function sessionOf(markdown: string): { readonly command: string; readonly shown: string }[] {
  const [session = ''] = blocks(markdown, 'console session');
  const entries = session.split(/^\$ /m).slice(1);
  expect(entries.length).toBeGreaterThan(0);
  return entries.map((entry) => {
    const [command = '', ...shown] = entry.split('\n');
    return { command, shown: shown.join('\n') };
  });
}

/** Returns the output of a command on a wide terminal: results and errors. */
async function printed(command: string, cwd: string): Promise<string> {
  const started = startCommand(command, cwd);
  await started.exited;
  return started.stdout() + started.stderr();
}

/** Returns output without the parts that differ from run to run. */
function lines(text: string): string[] {
  return text
    .replace(/\b([a-z]{3})_[0-9a-z]{26}\b/g, '$1_ID')
    .replace(/\bplat_test_\S+/g, 'KEY')
    .replace(/(127\.0\.0\.1):\d+/g, '$1:PORT')
    .trim()
    .split('\n')
    .map((line) => line.trimEnd());
}

function markdownUnder(folder: string): string[] {
  const found = readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' });
  return found
    .filter((path) => path.endsWith('.md') && !/node_modules|dist/.test(path))
    .map((path) => join(folder, path));
}
