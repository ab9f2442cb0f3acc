import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DEVELOPER_OPERATIONS, OPERATIONS, type OperationInfo } from '@plat/contract';
import { afterAll, expect, test } from 'vitest';
import { login, signedInDeveloper } from '../support/developer.ts';
import { findProgram } from '../support/find-servers.ts';
import { repository } from '../support/process.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { visitor } from '../support/visitor.ts';

/* The code samples of the operations, as the OpenAPI document and the reference show them, and the first steps of the console. */

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly 'x-codeSamples'?: readonly Sample[];
}

interface Sample {
  readonly label: string;
  readonly source: string;
}

const run = promisify(execFile);
const story = useServer({ env: { PLAT_DISPATCH: 'false' } });
const document: Document = JSON.parse(readFileSync(join(repository, 'docs/openapi.json'), 'utf8'));

function sampleOf(operation: Operation | undefined, wanted: string): string {
  return operation?.['x-codeSamples']?.find(({ label }) => label === wanted)?.source ?? '';
}

const LAST = 'developer.keys.revoke';

/** All operations with their paths, except the page that a browser opens. The key is revoked last: another sample needs it. */
const OPERATIONS_OF_ALL = Object.entries(document.paths)
  .flatMap(([path, operations]) => Object.values(operations).map((operation) => ({ path, operation })))
  .filter(({ operation }) => operation.operationId !== 'oauth.authorize')
  .toSorted((a, b) => Number(a.operation.operationId === LAST) - Number(b.operation.operationId === LAST));

/** Codes that say that the code or login of a sample does not exist. */
const UNKNOWN = /"code":"(?:\w+_NOT_FOUND|INVALID_GRANT|EXPIRED_TOKEN)"/;

/** Operations whose example the tenant of the test cannot have: it is older than the events that are stored. */
const OUT_OF_RANGE: readonly string[] = ['webhooks.replays.create'];

test.runIf(findProgram('curl'))(
  'every curl sample is accepted: it succeeds, or only the object of its id does not exist',
  async () => {
    const { apiKey } = await story.server.createTenant();
    const developer = await login(story.server, await signedInDeveloper(story.server));
    const { body: app } = await developer.api('/developer/v1/apps', {
      body: { name: 'Sync', redirect_uris: ['https://app.example.com/callback'], scopes: ['clients:read'] },
    });
    const env = {
      ...{ PATH: process.env['PATH'] ?? '', PLAT_BASE_URL: story.server.baseUrl },
      ...{ PLAT_API_KEY: apiKey, PLAT_DEVELOPER_TOKEN: developer.token },
      ...{ PLAT_CLIENT_ID: app.id, PLAT_CLIENT_SECRET: app.client_secret },
    };
    // One shell runs all: starting a shell for each takes longer than the calls.
    const commands = OPERATIONS_OF_ALL.map(
      ({ operation }) => `${sampleOf(operation, 'curl')} -s -w '\\n%{http_code}\\t'`,
    );
    const { stdout } = await run('bash', ['-c', commands.join('\n')], { env });
    const refused = OPERATIONS_OF_ALL.flatMap(({ path, operation: { operationId, responses } }, i) => {
      const answer = stdout.split('\t')[i] ?? '';
      const status = answer.slice(-3);
      const isMissing = (status === '404' ? path.includes('{') : status === '400') && UNKNOWN.test(answer);
      return (status.startsWith('2') && status in responses) || isMissing ? [] : [`${operationId} ${answer}`];
    });
    expect(refused.filter((line) => !OUT_OF_RANGE.includes(line.split(' ', 1)[0] ?? ''))).toEqual([]);
  },
);

test.runIf(findProgram('curl'))("the first steps of a sandbox's page work when they are copied", async () => {
  const { baseUrl } = story.server;
  const { session, apiKey, tenantId } = await signedInDeveloper(story.server);
  const { text } = await visitor(baseUrl, session.cookie).get('/console');
  const step = (id: string) =>
    (new RegExp(`aria-label="${id}" class="wrap">([^<]*)<`).exec(text)?.[1] ?? '')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replace('plat_test_…', apiKey);
  const answerTo = async (id: string) => {
    const script = `${step('Variables: Make a request')}\n${step(id)} --silent`;
    const { stdout } = await run('sh', ['-c', script], { env: { PATH: process.env['PATH'] } });
    return JSON.parse(stdout);
  };
  expect(await answerTo('curl: Make a request')).toMatchObject({ tenant_id: tenantId });
  expect(await answerTo('curl: Create a client')).toMatchObject({ object: 'client', name: 'Acme' });
});

function sdkSampleOf({ method, path }: OperationInfo): string {
  return sampleOf(document.paths[path]?.[method.toLowerCase()], 'SDK');
}

const folder = tempFolder('samples');
afterAll(() => folder.remove());

test('every SDK sample compiles', async () => {
  mkdirSync(join(folder.path, 'node_modules'));
  for (const scope of ['@plat', '@types']) {
    symlinkSync(join(repository, 'node_modules', scope), join(folder.path, 'node_modules', scope), 'junction');
  }
  writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }');
  const samples = [...Object.values(OPERATIONS), ...Object.values(DEVELOPER_OPERATIONS)].map(sdkSampleOf);
  expect(samples).not.toContain('');
  samples.forEach((sample, i) => {
    writeFileSync(join(folder.path, `sample-${i}.ts`), sample);
  });
  const compilerOptions = { noEmit: true, customConditions: ['@plat/source'], allowImportingTsExtensions: true };
  const settings = {
    extends: join(repository, 'tsconfig.tests.json'),
    compilerOptions: { ...compilerOptions, types: ['node'] },
    include: ['*.ts'],
  };
  writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify(settings));
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  const compiled = run(process.execPath, [compiler, '-p', folder.path]).catch((error: { stdout: string }) => error);
  expect((await compiled).stdout).toBe('');
});
