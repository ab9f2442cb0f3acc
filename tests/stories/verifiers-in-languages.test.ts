import { createHmac } from 'node:crypto';
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { HEADERS } from '@plat/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { blocks } from '../support/documented-commands.ts';
import { findProgram, isRequired, PYTHON } from '../support/find-servers.ts';
import { repository, spawnProgram } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

/*
 * The verifiers of docs/quickstarts, as shown, decide about the vectors of packages/webhooks and about real deliveries.
 */

interface Given {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly now: number;
  readonly signature: string | null;
  readonly body: string;
  readonly accepted: boolean;
}

const { vectors }: { vectors: readonly Given[] } = JSON.parse(
  readFileSync(join(repository, 'packages/webhooks/vectors.json'), 'utf8'),
);
/** Signed by a caller without a secret, for a receiver whose variable is not set. The verifier in Python throws for it. */
const unset: Given = {
  name: 'an empty secret',
  secrets: ['', 'whsec_of_the_endpoint'],
  now: 1_800_000_000,
  signature: `t=1800000000,v1=${createHmac('sha256', '').update('1800000000.{}').digest('hex')}`,
  body: Buffer.from('{}').toString('base64'),
  accepted: false,
};
const page = readFileSync(join(repository, 'docs/quickstarts/other-languages.md'), 'utf8');
const programs = join(repository, 'tests/support/verifiers');
const folder = tempFolder('verifiers');
afterAll(() => folder.remove());

interface Language {
  readonly name: string;
  readonly program: string;
  /** Main program, which reads deliveries as lines. */
  readonly main: string;
  /** Path of the code of the page; absent for code in a file. */
  readonly shown?: string;
  readonly args: readonly string[];
}

const LANGUAGES: readonly Language[] = [
  { name: 'go', program: 'go', main: 'main.go', shown: 'webhooks/webhooks.go', args: ['run', '.'] },
  { name: 'php', program: 'php', main: 'main.php', shown: 'verifier.php', args: ['main.php'] },
  { name: 'ruby', program: 'ruby', main: 'main.rb', shown: 'verifier.rb', args: ['main.rb'] },
  // Compiles and runs the sources; the compilers' own server would stay after the test.
  {
    name: 'java',
    program: 'java',
    main: 'Main.java',
    shown: 'Webhooks.java',
    args: ['-Xshare:auto', '-cp', 'out', 'Main'],
  },
  { name: 'python', program: PYTHON, main: 'main.py', args: ['main.py'] },
];

const story = useServer();
let real: readonly Given[];
beforeAll(async () => {
  const receiver = await startReceiver();
  const { server } = story;
  const api = apiOf(server.baseUrl, (await server.createTenant()).apiKey);
  const { body: endpoint } = await api('/v1/webhooks/endpoints', { body: { url: receiver.url, events: ['*'] } });
  for (const name of ['Acme', 'Zoë & <Söhne> 🚀']) await api('/v1/clients', { body: { name } });
  await receiver.waitFor(2);
  await receiver.close();
  real = receiver.received.map(({ headers, body }, at) => ({
    name: `real delivery ${at}`,
    secrets: [endpoint.secret],
    now: Math.floor(Date.now() / 1000),
    signature: String(headers[HEADERS.signature]),
    body: Buffer.from(body).toString('base64'),
    accepted: true,
  }));
});

const isHere = ({ program }: Language): boolean =>
  isRequired('languages') || findProgram(basename(program)) !== undefined;

test.for(LANGUAGES)('$name', async (language, { skip }) => {
  skip(!isHere(language), `this machine has no ${language.name}`);
  const { name, program, main, shown, args } = language;
  const cwd = join(folder.path, name);
  mkdirSync(join(cwd, 'webhooks'), { recursive: true });
  copyFileSync(join(programs, main), join(cwd, main));
  const [code = ''] = blocks(page, `${name} verifier`);
  if (shown === undefined) cpSync(join(repository, 'examples/python-receiver/webhooks.py'), join(cwd, 'webhooks.py'));
  else writeFileSync(join(cwd, shown), code);
  if (name === 'go') writeFileSync(join(cwd, 'go.mod'), 'module verifiers\n\ngo 1.19\n');
  if (name === 'java') {
    const compiled = spawnProgram('javac', { args: ['-d', 'out', 'Main.java', 'Webhooks.java'], cwd });
    expect(await compiled.exited, compiled.stderr()).toEqual({ code: 0, signal: null });
  }
  const all = [...vectors, ...real, ...(name === 'python' ? [] : [unset])];
  const lines = all.map(({ now, secrets, signature, body }) =>
    [now, secrets.join(','), Buffer.from(signature ?? '').toString('base64'), body].join('\t'),
  );
  const env = { GOCACHE: join(folder.path, 'go-cache'), GOFLAGS: '-mod=mod', PYTHONDONTWRITEBYTECODE: '1' };
  const running = spawnProgram(program, { args, cwd, env });
  running.child.stdin.end(`${lines.join('\n')}\n`);
  expect(await running.exited, running.stderr()).toEqual({ code: 0, signal: null });
  const decided = running.stdout().trim().split('\n');
  expect(decided).toHaveLength(all.length);
  const wrong = all.filter(({ accepted }, at) => decided[at] !== String(accepted)).map((each) => each.name);
  expect(wrong).toEqual([]);
});
