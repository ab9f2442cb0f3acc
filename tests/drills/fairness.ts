import { connect, type Socket } from 'node:net';
import { parseArgs } from 'node:util';
import { newId, type TestServer } from '@plat/server/testing';
import { apiOf } from '../support/api.ts';
import type { Drill, DrillResult } from './drill.ts';
import { NUMBERS_AT_ONCE, numbers } from './numbers.ts';
import { type LoadRequest, type LoadResult, offerLoad } from './offer-load.ts';
import { onMariadb } from './served.ts';
import { withProxy } from './with-proxy.ts';

const TARGET = 2;
/** Five times the default limit of a credential, so that a short run has enough requests for a p99. */
const LIMIT_PER_SECOND = 50;
const QUIET_RATE = 40;
const FLOOD_RATE = 1_000;
const AUDIT_ROWS = 50_000;
const IDLE = 500;
const SLOW = 500;

interface Tenant {
  readonly tenantId: string;
  readonly apiKey: string;
}

type Tenants = Awaited<ReturnType<typeof seed>>;

interface Phase {
  readonly name: string;
  readonly responses: Readonly<Record<string, number>>;
  readonly alone: LoadResult;
  readonly beside: LoadResult;
}

/** A tenant that does little, beside others that do as much as they can. */
export const fairness: Drill = {
  summary:
    "a quiet tenant's p99 beside slow filters, a 429 flood and 1,000 connections: ≤ 2 × alone; --seconds 20 --proxy haproxy",
  async run(args): Promise<DrillResult> {
    const { values } = parseArgs({
      args: [...args],
      options: { seconds: { type: 'string', default: '20' }, proxy: { type: 'string' } },
    });
    const seconds = Number(values.seconds);
    const env = { PLAT_RATE_LIMIT: String(LIMIT_PER_SECOND), PLAT_RATE_WINDOW: '1' };
    return onMariadb(env, seed, (served, tenants) =>
      withProxy(values.proxy, served, async (proxy) =>
        judge(await measure(proxy?.port ?? served.port, served.baseUrl, tenants, seconds)),
      ),
    );
  },
};

async function measure(
  port: number,
  baseUrl: string,
  { quiet, busy, targetId }: Tenants,
  seconds: number,
): Promise<readonly Phase[]> {
  const requests = await quietMix(apiOf(baseUrl, quiet.apiKey), quiet.apiKey);
  const offer = (load: { readonly requests: readonly LoadRequest[]; readonly rate: number }, connections: number) =>
    offerLoad({ port, seconds, connections, graceMs: 5_000, ...load });
  const alone = () => offer({ requests, rate: QUIET_RATE }, 20);
  await alone();
  const beside = async (name: string, other: () => Promise<LoadResult | null>): Promise<Phase> => {
    const before = await alone();
    const [during, noise] = await Promise.all([alone(), other()]);
    const statuses = Object.entries(noise?.statuses ?? {});
    const responses = Object.fromEntries(statuses.map(([status, { count }]) => [status, count]));
    return { name, responses, alone: before, beside: during };
  };
  const list = { method: 'GET', key: busy.apiKey };
  const filters = [{ ...list, path: `/v1/audit/events?target_id=${targetId}&action=client.deleted` }];
  return [
    await beside('slow filters', () => offer({ requests: filters, rate: LIMIT_PER_SECOND }, 50)),
    await beside('429 flood', () => offer({ requests: [{ ...list, path: '/v1/clients' }], rate: FLOOD_RATE }, 200)),
    await beside(`${IDLE + SLOW} connections`, async () => {
      const close = holdConnections(port);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      close();
      return null;
    }),
  ];
}

function judge(phases: readonly Phase[]): DrillResult {
  let sound = true;
  const lines = phases.map(({ name, alone, beside, responses }) => {
    const ratio = beside.good.p99 / alone.good.p99;
    const failed = failuresOf(beside);
    sound &&= ratio <= TARGET && failed === 0;
    const figures = [alone.good.p50, alone.good.p99, beside.good.p50, beside.good.p99];
    const shown = figures.map((ms) => ms.toFixed(1).padStart(9)).join(' ');
    const other = Object.entries(responses).map(([status, count]) => `${status}: ${count}`);
    return `${name.padEnd(18)}${shown} ${ratio.toFixed(2).padStart(9)} ${String(failed).padStart(7)}  ${other.join(', ')}`;
  });
  const head = `beside            p50 alone p99 alone       p50       p99 p99 ratio  failed  the other tenant's responses`;
  const target = `Quiet tenant: ${QUIET_RATE} requests/s. Targets: ratio ≤ ${TARGET}, 0 failed.`;
  return { sound, report: [head, ...lines, target].join('\n') };
}

/** Number of requests of a load without a 2xx response. */
function failuresOf({ statuses, good, notSent, unanswered, broken }: LoadResult): number {
  const all = Object.values(statuses).reduce((sum, { count }) => sum + count, 0);
  return all - good.count + notSent + unanswered + broken;
}

async function seed(server: TestServer) {
  const quiet = await server.createTenant({ sandbox: false });
  const busy = await server.createTenant({ sandbox: false });
  const targetId = newId('client');
  await fillAudit(server, busy, targetId);
  return { quiet, busy, targetId };
}

/** Audit events that all have the filtered target, and none of which has the filtered action. */
async function fillAudit({ db }: TestServer, { tenantId }: Tenant, targetId: string): Promise<void> {
  const at = Date.now() - 86_400_000;
  const id = `CONCAT('${newId('audit_event', at).slice(0, -16)}', LPAD(n, 16, '0'))`;
  for (let from = 0; from < AUDIT_ROWS; from += NUMBERS_AT_ONCE) {
    await db.sequelize.query(
      `INSERT INTO audit_events (tenant_id, id, action, actor_type, actor_id, target_type, target_id, created_at)
       ${numbers(from, AUDIT_ROWS)}
       SELECT '${tenantId}', ${id}, 'client.updated', 'user', 'usr_x', 'client', '${targetId}', ${at} FROM numbers`,
    );
  }
}

/** Four reads to one write. */
async function quietMix(api: ReturnType<typeof apiOf>, key: string): Promise<readonly LoadRequest[]> {
  const { body } = await api('/v1/clients', { body: { name: 'Quiet' } });
  const one = { method: 'GET', path: `/v1/clients/${body.id}`, key };
  const list = { method: 'GET', path: '/v1/clients?limit=20', key };
  return [one, list, one, list, { method: 'POST', path: '/v1/clients', key, body: { name: 'Quiet' } }];
}

/** Opens connections that send nothing, and others that send their headers byte by byte. */
function holdConnections(port: number): () => void {
  const open = (): Socket => connect({ host: '127.0.0.1', port }).on('error', () => {});
  const idle = Array.from({ length: IDLE }, open);
  const head = 'GET /v1/clients HTTP/1.1\r\nHost: a\r\nX-Slow: ';
  const slow = Array.from({ length: SLOW }, () =>
    open().on('connect', function (this: Socket) {
      this.write(head);
    }),
  );
  const timer = setInterval(() => {
    for (const socket of slow) if (socket.writable) socket.write('a');
  }, 1_000);
  return () => {
    clearInterval(timer);
    for (const socket of [...idle, ...slow]) socket.destroy();
  };
}
