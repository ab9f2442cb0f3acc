import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { verify } from '@plat/webhooks';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { eventAt, type FakeTenant, fakeTenant, type LocalApp, localApp } from '../testing/fake-tenant.ts';
import { emptyFolder, envFor, spawnPlat } from '../testing/plat.ts';

// Starting processes is slow on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const POLLING = { timeout: 120_000, interval: 20 };

let tenant: FakeTenant;
let app: LocalApp;
let folder: string;
beforeEach(async () => {
  [tenant, app] = await Promise.all([fakeTenant(), localApp()]);
  folder = emptyFolder();
});

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<number | NodeJS.Signals | null>;
  readonly stderr: () => string;
}

/** Starts `plat listen` as a process. */
function start(args: readonly string[] = []): Running {
  const files = ['--ready-file', join(folder, 'ready'), '--secret-file', join(folder, 'secret')];
  const child = spawnPlat(['listen', '--to', app.url, ...files, ...args], { env: { ...envFor(tenant), HOME: folder } });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdout?.resume();
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.on('close', (code, signal) => resolve(code ?? signal)),
  );
  return { child, ended, stderr: () => stderr };
}

/** Waits until the process reports that it is ready. */
async function readyPid({ child, stderr }: Running): Promise<void> {
  const isReady = () => {
    if (child.exitCode !== null) throw new Error(stderr());
    return (
      existsSync(join(folder, 'ready')) && JSON.parse(readFileSync(join(folder, 'ready'), 'utf8')).pid === child.pid
    );
  };
  await expect.poll(isReady, POLLING).toBe(true);
}

async function kill9({ child, ended }: Running): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}

it('loses no event when it and the application are killed at random moments, again and again', async () => {
  let listener = start();
  await readyPid(listener);
  const sent: string[] = [];
  const writer = setInterval(() => {
    // Some events are committed up to half a second late, as with several server processes.
    const event = eventAt(Date.now() - Math.floor(Math.random() * 500), sent.length);
    sent.push(event.id);
    tenant.add(event);
  }, 20);
  onTestFinished(() => clearInterval(writer));
  let cuts = 0;
  for (let round = 0; round < 9; round++) {
    // Sometimes killed before it is ready again.
    await sleep(Math.random() * 1000);
    if (round % 3 === 0) await app.down();
    if (round % 3 !== 1) await kill9(listener);
    if (round % 3 === 0) await app.up();
    if (round % 3 !== 1) listener = start();
    else {
      await app.down();
      await sleep(Math.random() * 300);
      await app.up();
    }
    cuts += round % 3 === 0 ? 2 : 1;
  }
  clearInterval(writer);
  const missing = () => {
    const received = new Set(app.received.map(({ id }) => id));
    return sent.filter((id) => !received.has(id)).length;
  };
  await expect.poll(missing, POLLING).toBe(0);
  listener.child.kill('SIGTERM');
  expect(await listener.ended).toBe(0);
  // Only events in flight during a kill arrived twice.
  expect(app.received.length - sent.length).toBeLessThanOrEqual(cuts);
  expect(new Set(app.received.map(({ id }) => id))).toEqual(new Set(sent));
  const secrets = readFileSync(join(folder, 'secret'), 'utf8').trim();
  for (const { body, headers } of app.received) verify(body, headers, { secrets, tolerance: 3600 });
});

it('exits on SIGTERM after the in-flight event, and does not resend it', async () => {
  let answer = (): void => {};
  app.respond = (_req, res) => {
    answer = () => res.writeHead(204).end();
  };
  const first = start();
  await readyPid(first);
  const [one, two] = [eventAt(Date.now(), 1), eventAt(Date.now() + 1, 2)];
  tenant.add(one, two);
  await expect.poll(() => app.received.length, POLLING).toBe(1);
  first.child.kill('SIGTERM');
  await expect.poll(first.stderr, POLLING).toContain('Stopping.');
  expect(first.child.exitCode).toBeNull();
  answer();
  expect(await first.ended).toBe(0);
  expect(existsSync(join(folder, 'ready'))).toBe(false);
  app.respond = (_req, res) => res.writeHead(204).end();
  const second = start();
  await expect.poll(() => app.received.map(({ id }) => id), POLLING).toEqual([one.id, two.id]);
  second.child.kill('SIGINT');
  expect(await second.ended).toBe(0);
});

it('forwards the signal to its command, and waits for its end', async () => {
  const script = `
    process.on('SIGTERM', () => setTimeout(() => { console.log('bye'); process.exit(9) }, 300));
    console.log('started'); setInterval(() => {}, 1e9)`;
  const listener = start(['--', process.execPath, '-e', script]);
  await expect.poll(listener.stderr, POLLING).toContain('started');
  await readyPid(listener);
  listener.child.kill('SIGTERM');
  // The test sent the signal, so the exit code of the command is not used.
  expect(await listener.ended).toBe(0);
  expect(listener.stderr()).toContain('bye');
});

it('exits quietly with its command when the reader of stdout is gone', async () => {
  const script =
    "process.on('exit', () => console.error('bye')); process.on('SIGTERM', () => process.exit()); setInterval(() => {}, 1e9)";
  const listener = start(['--', process.execPath, '-e', script]);
  await readyPid(listener);
  listener.child.stdout?.destroy();
  for (let n = 0; n < 20; n++) tenant.add(eventAt(Date.now() + n, n));
  expect(await listener.ended).toBe(0);
  expect(listener.stderr()).not.toMatch(/EPIPE|error/);
});
