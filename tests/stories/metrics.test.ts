import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { HEADERS } from '@plat/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, apiOf } from '../support/api.ts';
import { type FreshDatabase, migratedDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { spawnNode } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { type ServerProcess, startServerProcess, startWorkerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const folder = tempFolder('metrics');
const dataDir = join(folder.path, 'data');
let database: FreshDatabase;
let metricsPort: number;
let server: ServerProcess;
let apiKey: string;
let api: Api;

beforeAll(async () => {
  database = await migratedDatabase();
  metricsPort = await freePort();
  const env = { DATABASE_URL: database.url, PLAT_METRICS_PORT: String(metricsPort), PLAT_COMMIT: COMMIT };
  server = await startServerProcess(env, dataDir);
  apiKey = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8')).api_key;
  api = apiOf(server.baseUrl, apiKey);
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
  folder.remove();
});

test('requests are counted by operation and code, and none is in flight after the last one', async () => {
  expect((await api('/v1/clients')).status).toBe(200);
  expect((await apiOf(server.baseUrl, 'wrong')('/v1/clients')).body.code).toBe('INVALID_TOKEN');
  const metrics = await metricsOf(metricsPort);
  expect(metrics).toContain('plat_http_requests_total{operation="clients.list",method="GET",status="200",code=""} 1\n');
  expect(metrics).toMatch(/^plat_http_requests_total\{operation="",method="",status="401",code="INVALID_TOKEN"\} 1$/m);
  expect(metrics).toContain('plat_http_in_flight 0\n');
  expect(metrics).toMatch(/^plat_db_transactions_total\{outcome="committed"\} [1-9]/m);
  expect(metrics).toContain('plat_log_dropped_total 0\n');
});

test('a request whose caller goes away is aborted, and no longer in flight', async () => {
  const { hostname, port } = new URL(server.baseUrl);
  const socket = connect(Number(port), hostname);
  // The server waits for a body that never comes.
  const head = [
    `Host: ${hostname}`,
    `Authorization: Bearer ${apiKey}`,
    'Content-Type: application/json',
    'Content-Length: 9',
  ];
  socket.write(`POST /v1/clients HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
  await expect.poll(() => metricsOf(metricsPort)).toContain('plat_http_in_flight 1\n');
  socket.destroy();
  await expect.poll(() => metricsOf(metricsPort)).toContain('plat_http_aborted_total{operation="clients.create"} 1\n');
  expect(await metricsOf(metricsPort)).toContain('plat_http_in_flight 0\n');
});

test('each attempt of a delivery is counted with its result', async () => {
  const receiver = await startReceiver();
  const endpoint = await api('/v1/webhooks/endpoints', { body: { url: receiver.url, events: ['client.created'] } });
  expect(endpoint.status).toBe(201);
  expect((await api('/v1/clients', { body: { name: 'Acme' } })).status).toBe(201);
  await receiver.waitFor(1);
  const succeeded = 'plat_delivery_attempts_total{outcome="succeeded",error_class="",attempt="1"} 1\n';
  await expect.poll(() => metricsOf(metricsPort)).toContain(succeeded);
  await receiver.close();
});

test('a server and a worker tell their version on their own ports; a port in use ends the start', async () => {
  const build = {
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    commit: COMMIT,
    schema: expect.stringMatching(/^\d{4}-/),
  };
  const expected = { ...build, node: process.versions.node };
  expect((await api('/version')).body).toEqual(expected);
  expect((await api('/metrics')).status).toBe(404);
  expect(await metricsOf(metricsPort)).toContain(`commit="${COMMIT}",kind="server"} 1\n`);
  const workerPort = await freePort();
  const env = { DATABASE_URL: database.url, PLAT_METRICS_PORT: String(workerPort) };
  const worker = await startWorkerProcess(env, dataDir);
  try {
    expect(await metricsOf(workerPort)).toContain('commit="",kind="worker"} 1\n');
    const own = await fetch(`http://127.0.0.1:${workerPort}/version`);
    expect(await own.json()).toEqual({ ...expected, commit: null });
    expect(own.headers.get(HEADERS.requestId)).toMatch(/^req_/);
  } finally {
    await worker.stop();
  }
  const second = spawnNode('packages/server/src/main.ts', {
    args: ['worker'],
    env: { ...env, PLAT_METRICS_PORT: String(metricsPort), PLAT_DATA_DIR: dataDir },
  });
  expect((await second.exited).code).toBe(1);
  expect(second.stderr()).toMatch(new RegExp(`^plat-server: port ${metricsPort} .* is in use: .*PLAT_METRICS_PORT`));
});

async function metricsOf(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(response.status).toBe(200);
  return response.text();
}
