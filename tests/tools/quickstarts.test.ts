import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signTestEvent } from '@plat/webhooks/testing';
import { afterAll, expect, it } from 'vitest';
import { blocks } from '../support/documented-commands.ts';
import { hasPythonModules, PYTHON } from '../support/find-servers.ts';
import { type NodeProcess, repository, spawnNode, spawnProgram } from '../support/process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* The code of each quickstart runs as it is shown. A function runs in a small server, as its platform runs it. */

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
    args: ['-c', codeOf('python', 'python receiver')],
    env: {
      PORT: '0',
      WEBHOOK_SECRET: SECRET,
      PYTHONPATH: join(repository, 'examples/python-receiver'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
  });

it.each([
  ['express', javaScript('express', 'js receiver')],
  ['fastify', javaScript('fastify', 'js receiver')],
  ['hono', javaScript('hono', 'js receiver')],
  ['nextjs', javaScript('nextjs', 'ts request-handler', SERVE_ROUTE)],
  ['lambda', javaScript('lambda', 'js lambda-handler', SERVE_FUNCTION)],
  ...(hasPythonModules('http.server') ? [['python', python] as const] : []),
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

function codeOf(page: string, info: string): string {
  const [code] = blocks(readFileSync(join(repository, 'docs/quickstarts', `${page}.md`), 'utf8'), info);
  if (code === undefined) throw new Error(`docs/quickstarts/${page}.md has no block ${info}`);
  return code;
}

function write(name: string, text: string): void {
  writeFileSync(join(folder.path, name), text);
}
