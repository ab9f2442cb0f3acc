import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type NodeProcess, spawnNode } from '../support/process.ts';
import { oneOf, type Random } from './random.ts';

/** One process from its start to its end. Times are of this process's monotonic clock. */
export interface Life {
  /** Number that its deliveries carry. */
  readonly serial: number;
  readonly pid: number;
  readonly spawnedAt: number;
  isReady: boolean;
  /** Base URL; null before it is ready, and for workers. */
  baseUrl: string | null;
  killedAt: number | null;
}

export interface Herd {
  readonly lives: readonly Life[];
  /** Processes that ended without being killed, with their last output. */
  readonly crashes: readonly string[];
  /** Number of kills so far. */
  kills(): number;
  /** Resolves when all kills are done and every slot has a running process again. */
  readonly spent: Promise<void>;
  /** Returns the base URL of a running process, or undefined without one. */
  someBaseUrl(): string | undefined;
  /** Stops them as an operator does. */
  stop(): Promise<void>;
}

export interface HerdOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Values of `DATABASE_URL`, which the slots take in turn. */
  readonly nodeUrls: readonly string[];
  /** Number of concurrent processes. */
  readonly processes: number;
  readonly kills: number;
  readonly random: Random;
}

/** Arguments of the processes: servers that deliver, workers, servers that only serve the API. */
const ROLES = [['serve'], ['worker'], ['serve', '--no-dispatch']] as const;
/** Mean time in ms until a process is killed, or a third of its start time if that is longer. */
const MEAN_LIFE_MS = 600;
/** One process in this many is killed while it starts. */
const WHILE_STARTING = 0.2;
const START_MS = 700;
/** One kill in this many kills all other processes too. */
const ALL_AT_ONCE = 0.15;
const MOST_CRASHES = 5;

/** Runs servers and workers, of which one after the other is killed (SIGKILL: no handler runs) and restarted. */
export function startHerd({ env, nodeUrls, processes, kills, random }: HerdOptions): Herd {
  const lives: Life[] = [];
  const crashes: string[] = [];
  const living = new Map<Life, NodeProcess>();
  let killed = 0;
  let isStopping = false;
  const spent = Promise.withResolvers<void>();

  function kill(life: Life): void {
    const running = living.get(life);
    if (!running || life.killedAt !== null || killed >= kills) return;
    life.killedAt = performance.now();
    killed++;
    running.child.kill('SIGKILL');
    if (random() < ALL_AT_ONCE) for (const other of [...living.keys()]) kill(other);
  }

  async function live(args: readonly string[], databaseUrl: string): Promise<void> {
    const serial = lives.length + 1;
    const running = spawnNode('packages/server/src/main.ts', {
      args,
      env: { ...env, DATABASE_URL: databaseUrl, TALLY_SENDER: String(serial) },
    });
    const { pid } = running;
    const life: Life = { serial, pid, spawnedAt: performance.now(), isReady: false, baseUrl: null, killedAt: null };
    lives.push(life);
    living.set(life, running);
    if (random() < WHILE_STARTING) setTimeout(kill, START_MS * random(), life);
    const ready = running.waitFor(/Base URL +(http:\S+)|The worker is running/, 120_000).then(
      ([, baseUrl]) => {
        Object.assign(life, { isReady: true, baseUrl: baseUrl ?? null });
        const meanLife = Math.max(MEAN_LIFE_MS, (performance.now() - life.spawnedAt) / 3);
        setTimeout(kill, 2 * meanLife * random(), life);
        settle();
      },
      // It ended before; the exit handler below reports it.
      () => undefined,
    );
    const { code, signal } = await running.exited;
    await ready;
    living.delete(life);
    if (life.killedAt !== null || isStopping) return;
    crashes.push(`process ${serial} ended by itself (${signal ?? code}): ${running.stdout()}${running.stderr()}`);
    if (crashes.length > MOST_CRASHES) spent.reject(new Error(`servers end by themselves:\n${crashes.join('\n')}`));
    await wait(500);
  }

  /** Runs one process after the other in each slot. */
  async function keep(place: number): Promise<void> {
    const [role = [], url = ''] = [ROLES[place % ROLES.length], nodeUrls[place % nodeUrls.length]];
    while (!isStopping) await live(role, url);
  }

  function settle(): void {
    const ready = [...living.keys()].filter(({ isReady, killedAt }) => isReady && killedAt === null);
    if (killed >= kills && ready.length === processes) spent.resolve();
  }

  const places = Array.from({ length: processes }, (_, place) => keep(place));
  return {
    lives,
    crashes,
    kills: () => killed,
    spent: spent.promise,
    someBaseUrl() {
      const serving = [...living.keys()].filter(({ baseUrl, killedAt }) => baseUrl !== null && killedAt === null);
      return oneOf(random, serving)?.baseUrl ?? undefined;
    },
    async stop() {
      isStopping = true;
      await Promise.all([...living.values()].map((running) => running.stop()));
      await Promise.all(places);
    },
  };
}

/** Environment of processes whose deliveries name their sender and that start quickly. */
export function herdEnv(folder: string): Record<string, string> {
  const naming = fileURLToPath(new URL('name-sender.ts', import.meta.url));
  return {
    NODE_OPTIONS: `--import=${naming}`,
    NODE_COMPILE_CACHE: `${folder}/compiled`,
    PORT: '0',
    PLAT_DATA_DIR: `${folder}/data`,
    PLAT_RATE_LIMIT: '1000000',
    PLAT_ADDRESS_RATE_LIMIT: '1000000',
    LOG_LEVEL: 'error',
    LOG_FORMAT: 'json',
  };
}
