import {
  createTestServer,
  execute,
  select,
  type TestApp,
  type TestServer,
  type TestTenant,
  unitOfWork,
} from '@plat/server/testing';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Answer, apiOf, expectRefusal } from '../support/api.ts';
import { type FreshDatabase, migratedDatabase } from '../support/database.ts';
import { expectLockWait } from '../support/lock-wait.ts';
import { codeForm, type FormFields, postForm, refreshForm, secretOf } from '../support/oauth.ts';
import { operate } from '../support/operator.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* Exactly one effect, across two processes on one database. A third process creates the consents. */

const ROUNDS = 15;
let database: FreshDatabase;
let servers: readonly ServerProcess[];
let here: TestServer;
let app: TestApp;
let tenants: readonly TestTenant[];

beforeAll(async () => {
  database = await migratedDatabase();
  const dataDir = tempFolder('races').path;
  const env = {
    DATABASE_URL: database.url,
    PLAT_RATE_LIMIT: '1000000',
    PLAT_APP_RATE_LIMIT: '1000000',
    PLAT_DISPATCH: 'false',
  };
  servers = await Promise.all([startServerProcess(env, dataDir), startServerProcess(env, dataDir)]);
  here = await createTestServer({ databaseUrl: database.url, env: { PLAT_DISPATCH: 'false' } });
  app = await here.createApp({ verified: true });
  // Changes of a sandbox are serialized; those of other tenants are not.
  tenants = await Promise.all([true, false].map((sandbox) => here.createTenant({ sandbox })));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await here.close();
  await database.drop();
});

const urlOf = (i: number) => servers[i % servers.length]?.baseUrl ?? '';
const tenantOf = (round: number) => tenants[round % tenants.length]?.tenantId ?? '';
/** Posts the same form to the token endpoints of both processes, many times at once. */
const race = (times: number, form: FormFields): Promise<Answer[]> =>
  Promise.all(Array.from({ length: times }, (_, i) => postForm(`${urlOf(i)}/oauth/token`, form)));

/** Asserts one success, and INVALID_GRANT for all others. Resolves to the successful response. */
function onlyOneOf(answers: readonly Answer[]): Answer['body'] {
  const won = answers.filter(({ status }) => status === 200);
  const lost = answers.filter(({ status }) => status !== 200);
  expect(lost.map(({ status, body }) => `${status} ${body.code} ${body.error}`)).toEqual(
    Array(answers.length - 1).fill('400 INVALID_GRANT invalid_grant'),
  );
  expect(won).toHaveLength(1);
  return won[0]?.body;
}

/** Asserts that no token of a family works in either process, and that its row has the reason. */
async function expectDead(grantId: string, tokens: Answer['body'], reason: string): Promise<void> {
  for (const i of [0, 1]) {
    expectRefusal(await apiOf(urlOf(i), tokens.access_token)('/v1/me'), 'INVALID_TOKEN');
    const { body } = await postForm(`${urlOf(i)}/oauth/introspect`, { token: tokens.access_token, ...secretOf(app) });
    expect(body).toEqual({ active: false });
    const refreshed = await postForm(`${urlOf(i)}/oauth/token`, refreshForm(app, tokens.refresh_token));
    expect([refreshed.status, refreshed.body.code]).toEqual([400, 'INVALID_GRANT']);
  }
  const sql = 'SELECT status, revoked_reason FROM oauth_grants WHERE id = :grantId';
  expect(await select(here.db, sql, { grantId })).toEqual([{ status: 'revoked', revoked_reason: reason }]);
  const trail = "SELECT id FROM audit_events WHERE target_id = :grantId AND action = 'oauth.tokens_revoked'";
  expect(await select(here.db, trail, { grantId })).toHaveLength(1);
}

describe('of many at once', () => {
  test('exactly one exchange of a code succeeds, and then its family is ended', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const consent = await here.grant({ app, tenantId: tenantOf(round) });
      const tokens = onlyOneOf(await race(20, codeForm(app, consent)));
      await expectDead(consent.grantId, tokens, 'code_reused');
    }
  });

  test('exactly one exchange of a refresh token succeeds, and then its family is ended', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { tokens, grantId } = await here.grantTokens({ app, tenantId: tenantOf(round) });
      const next = onlyOneOf(await race(10, refreshForm(app, tokens.refresh_token)));
      await expectDead(grantId, next, 'refresh_token_reused');
      expectRefusal(await apiOf(urlOf(round), tokens.access_token)('/v1/me'), 'INVALID_TOKEN');
    }
  });

  test('exchanges of codes of one app and many tenants do not affect each other', async () => {
    const many = await Promise.all(Array.from({ length: 10 }, () => here.createTenant()));
    const consents = await Promise.all(many.map(({ tenantId }) => here.grant({ app, tenantId })));
    const answers = await Promise.all(
      consents.map((consent, i) => postForm(`${urlOf(i)}/oauth/token`, codeForm(app, consent))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const refreshed = await Promise.all(
      answers.map(({ body }, i) => postForm(`${urlOf(i + 1)}/oauth/token`, refreshForm(app, body.refresh_token))),
    );
    expect(refreshed.map(({ status }) => status)).toEqual(Array(10).fill(200));
  });

  test('reconnects of one app and tenant leave one grant after their tokens are used', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { tenantId } = await here.createTenant();
      const consents = await Promise.all(Array.from({ length: 5 }, () => here.grant({ app, tenantId })));
      const answers = await Promise.all(
        consents.map((consent, i) => postForm(`${urlOf(i)}/oauth/token`, codeForm(app, consent))),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
      const used = answers.map(({ body }, i) => apiOf(urlOf(i), body.access_token)('/v1/me'));
      expect(new Set((await Promise.all(used)).map(({ status }) => status))).toContain(200);
      const sql = "SELECT id FROM oauth_grants WHERE tenant_id = :tenantId AND status = 'active'";
      expect(await select(here.db, sql, { tenantId })).toHaveLength(1);
    }
  });
});

// SQLite has one writer, so that no other transaction can come in between.
test.skipIf(inject('database').kind === 'sqlite')(
  'a grant that is first used while an exchange waits to end it as unused stays alive',
  async () => {
    const { tenantId } = await here.createTenant({ sandbox: false });
    const first = await here.grantTokens({ app, tenantId });
    const consent = await here.grant({ app, tenantId });
    const exchanged = await unitOfWork(here.db, async (transaction) => {
      const lock = 'UPDATE tenants SET locks = locks + 1 WHERE id = :tenantId';
      await execute(here.db, lock, { tenantId }, transaction);
      const exchange = postForm(`${urlOf(0)}/oauth/token`, codeForm(app, consent));
      await expectLockWait(here.db);
      const begin = 'UPDATE oauth_grants SET begun = 1 WHERE id = :grantId';
      await execute(here.db, begin, { grantId: first.grantId }, transaction);
      return { answer: exchange };
    });
    expect((await exchanged.answer).status).toBe(200);
    expect((await apiOf(urlOf(1), first.tokens.access_token)('/v1/me')).status).toBe(200);
  },
  60_000,
);

test.skipIf(inject('database').kind === 'sqlite')(
  'a consent that is given while all consents of its app end is refused',
  async () => {
    const app = await here.createApp({ verified: true });
    const { tenantId } = await here.createTenant({ sandbox: false });
    const first = await here.grant({ app, tenantId });
    const { second, disabling } = await unitOfWork(here.db, async (transaction) => {
      const lock = 'UPDATE oauth_grants SET updated_at = updated_at + 1 WHERE id = :grantId';
      await execute(here.db, lock, { grantId: first.grantId }, transaction);
      const answer = operate(database.url, 'apps', 'disable', app.appId);
      await expectLockWait(here.db);
      const refused = here.grant({ app, tenantId }).catch((error: unknown) => error);
      await expectLockWait(here.db, 2);
      return { second: { refused }, disabling: { answer } };
    });
    expect((await disabling.answer).code).toBe(0);
    expect(await second.refused).toMatchObject({ code: 'APP_DISABLED' });
    const grants = 'SELECT id, revoked_reason FROM oauth_grants WHERE tenant_id = :tenantId';
    expect(await select(here.db, grants, { tenantId })).toEqual([
      { id: first.grantId, revoked_reason: 'app_disabled' },
    ]);
    const trail = "SELECT id FROM audit_events WHERE target_id = :grantId AND action = 'oauth.tokens_revoked'";
    expect(await select(here.db, trail, { grantId: first.grantId })).toHaveLength(1);
  },
  60_000,
);

describe('a refresh at the same time as', () => {
  test('a revocation leaves no working token', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { tokens, grantId } = await here.grantTokens({ app, tenantId: tenantOf(round) });
      const form = refreshForm(app, tokens.refresh_token);
      const [refreshed, revoked] = await Promise.all([
        postForm(`${urlOf(round)}/oauth/token`, form),
        postForm(`${urlOf(round + 1)}/oauth/revoke`, { token: tokens.access_token, ...secretOf(app) }),
      ]);
      expect([200, 400]).toContain(refreshed.status);
      expect(revoked.status).toBe(200);
      await expectDead(grantId, refreshed.status === 200 ? refreshed.body : tokens, 'app');
    }
  });

  test('the reset of its sandbox leaves no working token, and fails in no other way', async () => {
    for (let round = 0; round < 5; round++) {
      const { tenantId } = await here.createSandbox();
      const { tokens } = await here.grantTokens({ app, tenantId });
      const [refreshed] = await Promise.all([
        postForm(`${urlOf(round)}/oauth/token`, refreshForm(app, tokens.refresh_token)),
        here.resetSandbox(tenantId),
      ]);
      expect([200, 400]).toContain(refreshed.status);
      for (const { access_token } of refreshed.status === 200 ? [tokens, refreshed.body] : [tokens]) {
        expectRefusal(await apiOf(urlOf(round), access_token)('/v1/me'), 'INVALID_TOKEN');
      }
    }
  });
});

test('a family that ends in one process is refused by the other from the next request on', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { tokens, grantId } = await here.grantTokens({ app, tenantId: tenantOf(round) });
    const other = apiOf(urlOf(round), tokens.access_token);
    expect((await other('/v1/me')).status).toBe(200);
    await here.revokeConsent(tenantOf(round), grantId);
    expectRefusal(await other('/v1/me'), 'INVALID_TOKEN');
  }
});
