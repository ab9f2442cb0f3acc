import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { signTestEvent } from '@plat/webhooks/testing';
import { afterAll, expect, it } from 'vitest';
import { blocks, runCommands, startCommand } from '../support/documented-commands.ts';
import { hasPythonModules, PYTHON } from '../support/find-servers.ts';
import { type NodeProcess, repository, spawnNode, spawnProgram } from '../support/process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/*
 * The code in the documentation, as it is shown. The code of the start page and of each quickstart runs; a function runs in a small server, as its
 * platform runs it. Other examples compile.
 */

const run = promisify(execFile);

const SECRET = 'whsec_quickstart';
const folder = tempFolder('quickstarts');
afterAll(() => folder.remove());
symlinkSync(join(repository, 'node_modules'), join(folder.path, 'node_modules'), 'junction');
writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }');

/** Serves `POST` of a route handler. */
const SERVE_ROUTE = `import { serve } from '@hono/node-server';
import { POST } from './code.ts';
serve({ fetch: POST, port: 0 }, ({ port }) => console.log('Listening on', port));`;

/** Serves a Lambda function as a function URL does. */
const SERVE_FUNCTION = `import { serve } from '@hono/node-server';
import { handler } from './code.js';
const invoke = async (request) => {
  const body = Buffer.from(await request.arrayBuffer()).toString('base64');
  const headers = Object.fromEntries(request.headers);
  const answer = await handler({ version: '2.0', headers, body, isBase64Encoded: true, requestContext: { http: {} } });
  return new Response(answer.body, { status: answer.statusCode, headers: answer.headers });
};
serve({ fetch: invoke, port: 0 }, ({ port }) => console.log('Listening on', port));`;

const javaScript = (page: string, info: string, served?: string) => (): NodeProcess => {
  const extension = info.split(' ', 1)[0];
  write(`code.${extension}`, codeOf(page, info));
  if (served !== undefined) write('serve.js', served);
  return spawnNode(join(folder.path, served === undefined ? `code.${extension}` : 'serve.js'), {
    env: { PORT: '0', WEBHOOK_SECRET: SECRET },
  });
};

const python = (): NodeProcess =>
  spawnProgram(PYTHON, {
    args: ['-c', codeOf('quickstarts/python', 'python receiver')],
    env: {
      PORT: '0',
      WEBHOOK_SECRET: SECRET,
      PYTHONPATH: join(repository, 'examples/python-receiver'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
  });

it.each([
  ['README', javaScript('README', 'ts request-handler', SERVE_ROUTE)],
  ['quickstarts/express', javaScript('quickstarts/express', 'js receiver')],
  ['quickstarts/fastify', javaScript('quickstarts/fastify', 'js receiver')],
  ['quickstarts/hono', javaScript('quickstarts/hono', 'js receiver')],
  ['quickstarts/nextjs', javaScript('quickstarts/nextjs', 'ts request-handler', SERVE_ROUTE)],
  ['quickstarts/lambda', javaScript('quickstarts/lambda', 'js lambda-handler', SERVE_FUNCTION)],
  ...(hasPythonModules('http.server') ? [['quickstarts/python', python] as const] : []),
] as const)(
  'the receiver of %s verifies a delivery, and refuses one that another secret signed',
  async (_page, start) => {
    const receiver = start();
    const [, port] = await receiver.waitFor(/Listening on (\d+)/);
    const statusOf = async (secret: string) => {
      const { headers, body } = signTestEvent('client.created', { secret });
      return (await fetch(`http://127.0.0.1:${port}/webhooks`, { method: 'POST', headers, body })).status;
    };
    expect([await statusOf('whsec_other'), await statusOf(SECRET)]).toEqual([400, 200]);
    await receiver.waitFor(/^Welcome, \S+/m);
    await receiver.stop();
  },
);

it('the commands and the call of the start page work in the sandbox that it starts', async () => {
  const [start = '', ...others] = runCommands(readFileSync(join(repository, 'docs/README.md'), 'utf8'));
  const server = startCommand(start, folder.path);
  try {
    await server.waitFor(/Ctrl-C stops/);
    const { base_url, api_key } = JSON.parse(readFileSync(join(folder.path, '.plat/sandbox.json'), 'utf8'));
    write('call.js', codeOf('README', 'js sdk'));
    const env = { PLAT_BASE_URL: base_url, PLAT_API_KEY: api_key };
    const call = spawnNode(join(folder.path, 'call.js'), { env });
    expect(await call.exited, call.stderr()).toEqual({ code: 0, signal: null });
    expect(call.stdout()).toMatch(/^Acme$/m);
    expect(others.length).toBeGreaterThan(4);
    for (const command of others) {
      const started = startCommand(command, folder.path);
      expect(await started.exited, `${command}\n${started.stderr()}`).toEqual({ code: 0, signal: null });
    }
  } finally {
    await server.stop();
  }
});

/** Errors in the sources come only from the looser rules of the examples. */
const OF_THE_SOURCES = /^packages\//;

/** Modules of frameworks that are not installed here. */
const FRAMEWORKS = ['@nestjs/common', '$env/dynamic/private'];

/** Names that an example leaves to its reader: TS2304, TS2552 and TS18004. */
const READERS_OWN = /error TS(?:2304|2552|18004):/;

it('every other example uses the packages as they are: it compiles, except for names that the reader has', async () => {
  const pages = readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' }).filter((page) =>
    page.endsWith('.md'),
  );
  const examples = pages.flatMap((page) => examplesIn(page));
  expect(examples.length).toBeGreaterThan(10);
  for (const { name, code } of examples) write(join('examples', name), code);
  write(join('examples', 'frameworks.d.ts'), FRAMEWORKS.map((name) => `declare module '${name}';\n`).join(''));
  const loose = {
    strict: false,
    exactOptionalPropertyTypes: false,
    noUnusedLocals: false,
    noPropertyAccessFromIndexSignature: false,
    experimentalDecorators: true,
  };
  const settings = {
    extends: join(repository, 'tsconfig.tests.json'),
    compilerOptions: { ...loose, allowJs: true, checkJs: true, types: ['node'] },
    include: ['examples/*'],
  };
  write('tsconfig.json', JSON.stringify(settings));
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [compiler, '-p', folder.path]).catch(
    (error: { stdout: string }) => error,
  );
  const errors = stdout.split('\n').filter((line) => line.includes('error TS'));
  expect(errors.filter((line) => !OF_THE_SOURCES.test(line) && !READERS_OWN.test(line))).toEqual([]);
});

/** Returns the examples of a page that import a package of this repository. One with a second word is run by a test. */
function examplesIn(page: string) {
  const text = readFileSync(join(repository, 'docs', page), 'utf8');
  return ['js', 'ts'].flatMap((language) =>
    blocks(text, language).flatMap((code, i) =>
      code.includes("from '@plat/") ? [{ name: `${page.replaceAll(/\W/g, '-')}-${i}.${language}`, code }] : [],
    ),
  );
}

function codeOf(page: string, info: string): string {
  const [code] = blocks(readFileSync(join(repository, 'docs', `${page}.md`), 'utf8'), info);
  if (code === undefined) throw new Error(`docs/${page}.md has no block ${info}`);
  return code;
}

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder.path, name)), { recursive: true });
  writeFileSync(join(folder.path, name), text);
}
