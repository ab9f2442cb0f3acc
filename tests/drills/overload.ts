import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { apiOf } from '../support/api.ts';
import type { Drill, DrillResult } from './drill.ts';
import { goodputOf, type LoadRequest, type LoadResult, offerLoad } from './offer-load.ts';
import { onMariadb } from './served.ts';

const TARGET_GOODPUT = 0.9;
const TARGET_REFUSAL_MS = 50;
const TENANTS = 20;
const CALLERS = [16, 32, 64];
const OVERLOAD = 5;
const CONNECTIONS = 2_500;
const PROBE_MS = 100;

/** Requests for five times as much as one process can do. */
export const overload: Drill = {
  summary: '5 × the peak load on one server: ≥ 90 % of peak goodput, 503 in ≤ 50 ms, probes answered; --seconds 10',
  async run(args): Promise<DrillResult> {
    const { values } = parseArgs({ args: [...args], options: { seconds: { type: 'string', default: '10' } } });
    const seconds = Number(values.seconds);
    return onMariadb({}, seedTenants, async ({ port, baseUrl }, keys) => {
      const requests = await mixOf(baseUrl, keys);
      await offerLoad({ port, requests, seconds: Math.min(seconds, 3), callers: 16, connections: 16 });
      let peak = 0;
      const lines: string[] = [];
      for (const callers of CALLERS) {
        const result = await offerLoad({ port, requests, seconds, callers, connections: callers });
        peak = Math.max(peak, goodputOf(result));
        lines.push(rowOf(`${callers} callers`, result));
      }
      const probing = probe(baseUrl);
      const load = { port, requests, seconds, rate: Math.round(peak * OVERLOAD), connections: CONNECTIONS };
      const result = await offerLoad(load);
      const { failed, slowest, count } = await probing.stop();
      lines.push(rowOf(`${OVERLOAD} × peak`, result));
      const part = goodputOf(result) / peak;
      const refusals = result.statuses['503'];
      const others = Object.keys(result.statuses).filter((status) => !/^(2..|503)$/.test(status));
      const after = await offerLoad({ port, requests, seconds: Math.min(seconds, 3), callers: 16, connections: 16 });
      lines.push(rowOf('afterwards', after));
      const report = [
        'load            good/s    503/s  200 p50  200 p99  503 p50  503 p99  not sent  broken  sender CPUs  late ms',
        ...lines,
        `offered              ${Math.round(peak * OVERLOAD)}/s, four reads to one write, ${TENANTS} tenants`,
        `goodput of peak      ${(part * 100).toFixed(0)} %  (target ≥ 90 %)`,
        `503, p99             ${refusals?.p99.toFixed(0) ?? '–'} ms  (target ≤ 50)`,
        `other statuses       ${others.join(' ') || 'none'}  (target none)`,
        `probes               ${count}, failed ${failed} (target 0), slowest ${slowest.toFixed(0)} ms`,
      ].join('\n');
      const isPrompt = (refusals?.p99 ?? 0) <= TARGET_REFUSAL_MS;
      return { sound: part >= TARGET_GOODPUT && isPrompt && others.length === 0 && failed === 0, report };
    });
  },
};

type Seeder = Parameters<Parameters<typeof onMariadb>[1]>[0];

async function seedTenants(seeder: Seeder): Promise<readonly string[]> {
  const keys: string[] = [];
  for (let i = 0; i < TENANTS; i++) keys.push((await seeder.createTenant({ sandbox: false })).apiKey);
  return keys;
}

/** Four reads to one write, of all tenants in turn. */
async function mixOf(baseUrl: string, keys: readonly string[]): Promise<readonly LoadRequest[]> {
  const ids = await Promise.all(
    keys.map(async (key) => {
      const created = await Promise.all(
        Array.from({ length: 20 }, () => apiOf(baseUrl, key)('/v1/clients', { body: { name: 'Read' } })),
      );
      return created[0]?.body.id;
    }),
  );
  const read = (path: (id: string) => string) => keys.map((key, i) => ({ method: 'GET', path: path(ids[i]), key }));
  const one = (id: string) => `/v1/clients/${id}`;
  const list = () => '/v1/clients?limit=20';
  const write = keys.map((key) => ({ method: 'POST', path: '/v1/clients', key, body: { name: 'Written' } }));
  return [read(one), read(list), read(one), read(list), write].flat();
}

/** Asks both probes all the time, as an orchestrator does. */
function probe(baseUrl: string) {
  const counts = { count: 0, failed: 0, slowest: 0 };
  let isOver = false;
  const asking = ['/livez', '/readyz'].map(async (path) => {
    while (!isOver) {
      const from = performance.now();
      const response = await fetch(baseUrl + path, { signal: AbortSignal.timeout(1_000) }).catch(() => null);
      await response?.arrayBuffer();
      counts.count++;
      if (response?.status !== 200) counts.failed++;
      counts.slowest = Math.max(counts.slowest, performance.now() - from);
      await pause(PROBE_MS);
    }
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(asking);
      return counts;
    },
  };
}

function rowOf(name: string, result: LoadResult): string {
  const { statuses, notSent, broken, cpus, lateMs, seconds } = result;
  const ok = statuses['200'];
  const refused = statuses['503'];
  const figures = [
    ...[goodputOf(result), (refused?.count ?? 0) / seconds, ok?.p50, ok?.p99, refused?.p50, refused?.p99],
    ...[notSent, broken],
  ].map((figure) => (figure === undefined ? '–' : figure.toFixed(0)).padStart(8));
  return `${name.padEnd(13)}${figures.join(' ')} ${cpus.toFixed(2).padStart(11)} ${lateMs.toFixed(0).padStart(8)}`;
}
