import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { apiOf } from '../support/api.ts';
import type { Haproxy } from '../support/haproxy.ts';
import { cpuOf, runOn } from './cpu.ts';
import type { Drill, DrillResult } from './drill.ts';
import { goodputOf, type Load, type LoadRequest, type LoadResult, offerLoad } from './offer-load.ts';
import { quantile } from './quantile.ts';
import { onMariadb, type ServedOn } from './served.ts';
import { withProxy } from './with-proxy.ts';

const TARGET_GOODPUT = 0.9;
const TARGET_REFUSAL_MS = 50;
const TENANTS = 20;
const CALLERS = [16, 32, 64];
const OVERLOAD = 5;
const CONNECTIONS = 2_500;
/** Turns of both loads: the speed of a virtual machine changes within seconds. */
const ROUNDS = 5;
const PROBE_MS = 100;
/** Requests a second of a tenant that has no part in the overload. */
const QUIET_RATE = 20;

/** Requests for five times as much as one process can do, to the process or to a proxy in front of it. */
export const overload: Drill = {
  summary:
    '5 × the peak load on one server: ≥ 90 % of peak goodput, 503 in ≤ 50 ms, probes answered; --seconds 10 --proxy haproxy --apart',
  async run(args): Promise<DrillResult> {
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...{ seconds: { type: 'string', default: '10' }, proxy: { type: 'string' } },
        apart: { type: 'boolean', default: false },
      },
    });
    const seconds = Number(values.seconds);
    return onMariadb({}, seedTenants, (served, keys) => {
      if (values.apart) separate(served);
      return withProxy(values.proxy, served, (proxy) => measure(served, proxy, keys, seconds));
    });
  },
};

interface Round {
  /** Goodput of the overload, of the goodput just before. */
  readonly part: number;
  readonly statuses: LoadResult['statuses'];
}

/** Gives server and database one core, and the processes that start later another one, as if they were on other machines. */
function separate({ server, database }: ServedOn): void {
  runOn(0, [server.pid, database.pid]);
  runOn(1, [process.pid]);
}

async function measure(
  { server, port: serverPort, baseUrl, database }: ServedOn,
  proxy: Haproxy | null,
  [quiet = '', ...keys]: readonly string[],
  seconds: number,
): Promise<DrillResult> {
  const port = proxy?.port ?? serverPort;
  const [requests, quietRequests] = [await mixOf(baseUrl, keys), await mixOf(baseUrl, [quiet])];
  const pids = [server.pid, database.pid, ...(proxy ? [proxy.pid] : [])];
  const lines: string[] = [];
  const offer = async (name: string, load: Load): Promise<LoadResult> => {
    const before = pids.map((pid) => cpuOf([pid]));
    const result = await offerLoad({ port, ...load });
    const cpus = pids.map((pid, i) => (cpuOf([pid]) - (before[i] ?? 0)) / result.seconds);
    lines.push(rowOf(name, result, cpus));
    return result;
  };
  const brief = { requests, seconds: Math.min(seconds, 3), callers: 16, connections: 16 };
  await offerLoad({ port, ...brief });
  let [peak, best] = [0, 0];
  for (const callers of CALLERS) {
    const goodput = goodputOf(await offer(`${callers} callers`, { requests, seconds, callers, connections: callers }));
    if (goodput > peak) [peak, best] = [goodput, callers];
  }
  const rate = Math.round(peak * OVERLOAD);
  const beside = async (name: string, flood: readonly LoadRequest[]) => {
    const [result, other] = await Promise.all([
      offer(name, { requests: flood, seconds, rate, connections: CONNECTIONS }),
      offerLoad({ port, requests: quietRequests, seconds, rate: QUIET_RATE, connections: 20 }),
    ]);
    lines.push(rowOf('  quiet tenant', other));
    return { result, other };
  };
  const rounds = async (): Promise<readonly Round[]> => {
    const all: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const alone = await offer('peak', { requests, seconds, callers: best, connections: best });
      const { result } = await beside(`${OVERLOAD} × peak`, requests);
      all.push({ part: goodputOf(result) / goodputOf(alone), statuses: result.statuses });
    }
    await beside(
      '  of one tenant',
      requests.filter(({ key }) => key === keys[0]),
    );
    return all;
  };
  const {
    result: all,
    failed,
    slowest,
    count,
  } = await whileProbing(proxy ? [baseUrl, proxy.baseUrl] : [baseUrl], rounds);
  const parts = all.map(({ part }) => part).toSorted((a, b) => a - b);
  const part = quantile(parts, 0.5) ?? 0;
  const refusals = all.map(({ statuses }) => statuses['503']?.p99 ?? 0).toSorted((a, b) => a - b);
  const refusal = quantile(refusals, 0.5) ?? 0;
  const statuses = new Set(all.flatMap((round) => Object.keys(round.statuses)));
  const others = [...statuses].filter((status) => !/^(2..|503)$/.test(status));
  await offer('afterwards', brief);
  const report = [
    'load              good/s    503/s  200 p50  200 p99  503 p50  503 p99  not sent  broken  late ms  CPUs: sender server database proxy',
    ...lines,
    `offered              ${rate}/s, four reads to one write, ${keys.length} tenants${proxy ? ', through HAProxy' : ''}`,
    `goodput of peak      ${percent(part)} %, in ${ROUNDS} rounds ${parts.map(percent).join(' ')}  (target ≥ 90 %)`,
    `503, p99             ${refusal.toFixed(0)} ms, in ${ROUNDS} rounds ${refusals.map((ms) => ms.toFixed(0)).join(' ')}  (target ≤ 50)`,
    `other statuses       ${others.join(' ') || 'none'}  (target none)`,
    `probes               ${count}, failed ${failed} (target 0), slowest ${slowest.toFixed(0)} ms`,
  ].join('\n');
  const isPrompt = refusal <= TARGET_REFUSAL_MS;
  return { sound: part >= TARGET_GOODPUT && isPrompt && others.length === 0 && failed === 0, report };
}

function percent(part: number): string {
  return (part * 100).toFixed(0);
}

type Seeder = Parameters<Parameters<typeof onMariadb>[1]>[0];

async function seedTenants(seeder: Seeder): Promise<readonly string[]> {
  const keys: string[] = [];
  for (let i = 0; i <= TENANTS; i++) keys.push((await seeder.createTenant({ sandbox: false })).apiKey);
  return keys;
}

/** Four reads to one write, of all tenants in turn. */
async function mixOf(baseUrl: string, keys: readonly string[]): Promise<readonly LoadRequest[]> {
  const ids: string[] = [];
  for (const key of keys) {
    const create = () => apiOf(baseUrl, key)('/v1/clients', { body: { name: 'Read' } });
    const [created] = await Promise.all(Array.from({ length: 20 }, create));
    ids.push(created?.body.id);
  }
  const read = (path: (id: string) => string) =>
    keys.map((key, i) => ({ method: 'GET', path: path(ids[i] ?? ''), key }));
  const one = (id: string) => `/v1/clients/${id}`;
  const list = () => '/v1/clients?limit=20';
  const write = keys.map((key) => ({ method: 'POST', path: '/v1/clients', key, body: { name: 'Written' } }));
  return [read(one), read(list), read(one), read(list), write].flat();
}

/** Does some work, and asks both probes all the time, as an orchestrator does, and through the proxy. */
async function whileProbing<R>(baseUrls: readonly string[], work: () => Promise<R>) {
  const counts = { count: 0, failed: 0, slowest: 0 };
  let isOver = false;
  const urls = baseUrls.flatMap((baseUrl) => [`${baseUrl}/livez`, `${baseUrl}/readyz`]);
  const asking = urls.map(async (url) => {
    while (!isOver) {
      const from = performance.now();
      const response = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => null);
      await response?.arrayBuffer();
      counts.count++;
      if (response?.status !== 200) counts.failed++;
      counts.slowest = Math.max(counts.slowest, performance.now() - from);
      await pause(PROBE_MS);
    }
  });
  const result = await work().finally(() => {
    isOver = true;
  });
  await Promise.all(asking);
  return { result, ...counts };
}

function rowOf(name: string, result: LoadResult, others: readonly number[] = []): string {
  const { statuses, good, notSent, broken, cpus, lateMs, seconds } = result;
  const refused = statuses['503'];
  const figures = [
    ...[goodputOf(result), (refused?.count ?? 0) / seconds, good.p50, good.p99, refused?.p50, refused?.p99],
    ...[notSent, broken, lateMs],
  ].map((figure) => (figure === undefined ? '–' : figure.toFixed(0)).padStart(8));
  const used = [cpus, ...others].map((figure) => figure.toFixed(2).padStart(7));
  return `${name.padEnd(15)}${figures.join(' ')}     ${used.join(' ')}`;
}
