import { newId } from '@plat/server/testing';
import { beforeAll, expect, test } from 'vitest';
import { type Api, apiOf } from '../support/api.ts';
import { insertLoggedRequests } from '../support/logged-requests.ts';
import { BAD_PLAN, plansOf } from '../support/plans.ts';
import { useServer } from '../support/story.ts';

/** Enough rows that a plan without an index would not be chosen by accident. */
const ROWS = 10_000;
const AT = Date.now() - 3_600_000;

const story = useServer({ env: { PLAT_DISPATCH: 'false', PLAT_REQUEST_LOG: 'off' } });
let api: Api;
let requests: readonly string[];
const keys = [newId('api_key'), newId('api_key')];

beforeAll(async () => {
  const { apiKey, tenantId } = await story.server.createTenant();
  const other = await story.server.createTenant();
  api = apiOf(story.server.baseUrl, apiKey);
  requests = await insertLoggedRequests(story.server, { tenantId, count: ROWS, credentials: keys, from: AT });
  await insertLoggedRequests(story.server, { ...other, count: ROWS / 10, credentials: [newId('api_key')], from: AT });
  if (story.database.kind !== 'sqlite') await story.server.db.sequelize.query('ANALYZE TABLE requests');
});

const FILTERS: Readonly<Record<string, readonly string[]>> = {
  outcome: ['succeeded', 'failed'],
  code: ['INVALID_BODY', 'SLUG_IN_USE'],
  method: ['GET', 'DELETE'],
  operation: ['clients.list', 'clients.update'],
  credential_id: [keys[0] ?? '', newId('api_key')],
};

/** Every set of filters, each with a value that exists and one that does not. */
function combinations(): readonly Readonly<Record<string, string>>[] {
  const names = Object.keys(FILTERS);
  const sets = Array.from({ length: 2 ** names.length - 1 }, (_, n) => names.filter((_name, i) => ((n + 1) >> i) & 1));
  return sets.flatMap((set) =>
    [0, 1].map((which) => Object.fromEntries(set.map((name) => [name, FILTERS[name]?.[which] ?? '']))),
  );
}

test.each(combinations().map((filters) => [new URLSearchParams(filters).toString(), filters] as const))(
  '%s reads the range of an index in its order, forwards and backwards',
  async (query, filters) => {
    const time = `created_after=${new Date(AT + 100).toISOString()}&created_before=${new Date(AT + ROWS).toISOString()}`;
    const pages = ['', `starting_after=${requests[ROWS / 2]}`, `ending_before=${requests[ROWS / 2]}`, time];
    for (const page of pages) {
      const plans = await plansOf(story.server, async () => {
        const { status, body } = await api(`/v1/requests?${query}&${page}`);
        expect(status).toBe(200);
        for (const item of body.data) expectMatch(item, filters);
      });
      const own = plans.filter(([statement]) => statement.includes('FROM requests'));
      for (const [statement, plan] of own) {
        expect(plan, statement).not.toMatch(BAD_PLAN);
        // Not all rows of the tenant: only the range of a filter.
        expect(plan, statement).toMatch(/requests_(?:outcome|code|method|operation|credential_id)/);
      }
    }
  },
);

test.each(['operation', 'method', 'credential_id'])(
  '%s and outcome read an index of both: few of many requests fail',
  async (name) => {
    const query = new URLSearchParams({ [name]: FILTERS[name]?.[0] ?? '', outcome: 'failed' });
    const plans = await plansOf(story.server, async () => {
      expect((await api(`/v1/requests?${query}`)).status).toBe(200);
    });
    const [[statement, plan] = []] = plans.filter(([text]) => text.includes('FROM requests'));
    expect(plan, statement).toMatch(new RegExp(`requests_${name}_outcome`));
  },
);

test('filters that no request can match together are answered without a query', async () => {
  for (const query of ['code=INVALID_BODY&outcome=succeeded', 'operation=clients.list&method=POST']) {
    const plans = await plansOf(story.server, async () => {
      expect((await api(`/v1/requests?${query}`)).body.data).toEqual([]);
    });
    expect(plans.filter(([statement]) => statement.includes('FROM requests'))).toEqual([]);
  }
});

test('a filtered list returns all pages', async () => {
  const found: string[] = [];
  for (let after = ''; ; ) {
    const { body } = await api(`/v1/requests?limit=100&outcome=failed&operation=clients.create${after}`);
    found.push(...body.data.map(({ id }: { id: string }) => id));
    if (!body.has_more) break;
    after = `&starting_after=${found.at(-1)}`;
  }
  expect(found).toEqual(requests.filter((_, n) => n % 10 === 8).toReversed());
});

// biome-ignore lint/suspicious/noExplicitAny: a story reads what the server says, and asserts on it
function expectMatch(item: any, filters: Readonly<Record<string, string>>): void {
  const { outcome, method, operation, credential_id } = filters;
  if (outcome !== undefined) expect(item.outcome).toBe(outcome);
  if (method !== undefined) expect(item.method).toBe(method);
  if (operation !== undefined) expect(item.operation).toBe(operation);
  if (credential_id !== undefined) expect(item.credential.id).toBe(credential_id);
}
