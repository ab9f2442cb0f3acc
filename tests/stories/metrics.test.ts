import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { startServerProcess, startWorkerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('a server counts its requests by operation, and a worker its own process, each on its own port', async () => {
  await using database = await disposable();
  const folder = tempFolder('metrics');
  const dataDir = join(folder.path, 'data');
  const [serverPort, workerPort] = [await freePort(), await freePort()];
  const env = { DATABASE_URL: database.url };
  const server = await startServerProcess({ ...env, PLAT_METRICS_PORT: String(serverPort) }, dataDir);
  try {
    const bearer = { Authorization: 'Bearer wrong' };
    expect((await fetch(`${server.baseUrl}/v1/clients`, { headers: bearer })).status).toBe(401);
    expect((await fetch(`${server.baseUrl}/metrics`)).status).toBe(404);
    const metrics = await textOf(`http://127.0.0.1:${serverPort}/metrics`);
    expect(metrics).toContain('kind="server"');
    expect(metrics).toMatch(/^plat_http_requests_total\{.*status="401",code="[A-Z_]+"\} 1$/m);
    expect(metrics).toMatch(/^plat_http_in_flight 0$/m);
    expect(metrics).toMatch(/^plat_db_transactions_total\{outcome="committed"\} [1-9]/m);

    const worker = await startWorkerProcess({ ...env, PLAT_METRICS_PORT: String(workerPort) }, dataDir);
    try {
      expect(await textOf(`http://127.0.0.1:${workerPort}/metrics`)).toContain('kind="worker"');
      expect(JSON.parse(await textOf(`http://127.0.0.1:${workerPort}/version`))).toMatchObject({ kind: 'worker' });
    } finally {
      await worker.stop();
    }
  } finally {
    await server.stop();
    folder.remove();
  }
});

async function disposable() {
  const database = await freshDatabase();
  return { url: database.url, [Symbol.asyncDispose]: () => database.drop() };
}

async function textOf(url: string): Promise<string> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return response.text();
}
