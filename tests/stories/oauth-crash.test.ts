import { captureStatements, createTestServer, select, type TestApp, type TestServer } from '@plat/server/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { type FreshDatabase, migratedDatabase } from '../support/database.ts';
import { codeForm, type FormFields, postForm, refreshForm } from '../support/oauth.ts';
import { spawnNode } from '../support/process.ts';

/* A server that is killed during an exchange keeps either the old credential or the new one, and never both. */

let database: FreshDatabase;
let server: TestServer;
let app: TestApp;
let tenantId: string;

beforeAll(async () => {
  database = await migratedDatabase();
  server = await createTestServer({ databaseUrl: database.url, env: { PLAT_DISPATCH: 'false' } });
  app = await server.createApp();
  ({ tenantId } = await server.createTenant());
});
afterAll(async () => {
  await server.close();
  await database.drop();
});

const token = (form: FormFields, baseUrl = server.baseUrl) => postForm(`${baseUrl}/oauth/token`, form);

/** Sends a form to a server that is killed at a point of handling it. */
async function exchangeKilledAt(point: number | 'answer', form: FormFields): Promise<void> {
  const env = { DATABASE_URL: database.url };
  const victim = spawnNode('tests/support/killed-process.ts', { args: [String(point)], env });
  const [, baseUrl = ''] = await victim.waitFor(/Base URL (http:\S+)/);
  await expect(token(form, baseUrl)).rejects.toThrow();
  expect((await victim.exited).signal).toBe('SIGKILL');
}

/** Generation of the family, whether it has a refresh token, and the number of access tokens. */
async function familyOf(grantId: string): Promise<{ generation: number; current: number; access: number }> {
  const [row] = await select<{ generation: number; current: number; access: number }>(
    server.db,
    `SELECT g.generation, CASE WHEN g.refresh_hash IS NULL THEN 0 ELSE 1 END AS current,
       (SELECT COUNT(*) FROM oauth_access_tokens a WHERE a.grant_id = g.id) AS access
     FROM oauth_grants g WHERE g.id = :grantId`,
    { grantId },
  );
  if (!row) throw new Error(`there is no consent ${grantId}`);
  return row;
}

const STATEMENTS = 7;

test(`an exchange is ${STATEMENTS} statements, the last of them the commit`, async () => {
  const { tokens } = await server.grantTokens({ app, tenantId });
  const statements = await captureStatements(server.db, () => token(refreshForm(app, tokens.refresh_token)));
  expect(statements).toHaveLength(STATEMENTS);
  expect(statements.at(-1)).toMatch(/^COMMIT/);
});

describe.each([1, 2, 3, 4, 5, 6, 7] as const)('killed before statement %i', (point) => {
  test('a refresh has not happened: the old token works, and there is no other', async () => {
    const { tokens, grantId } = await server.grantTokens({ app, tenantId });
    await exchangeKilledAt(point, refreshForm(app, tokens.refresh_token));
    expect(await familyOf(grantId)).toEqual({ generation: 1, current: 1, access: 1 });
    expect((await apiOf(server.baseUrl, tokens.access_token)('/v1/me')).status).toBe(200);
    expect((await token(refreshForm(app, tokens.refresh_token))).status).toBe(200);
    expect(await familyOf(grantId)).toEqual({ generation: 2, current: 1, access: 2 });
  });

  test('the exchange of a code has not happened: the code works', async () => {
    const consent = await server.grant({ app, tenantId });
    await exchangeKilledAt(point, codeForm(app, consent));
    expect(await familyOf(consent.grantId)).toEqual({ generation: 0, current: 0, access: 0 });
    expect((await token(codeForm(app, consent))).status).toBe(200);
  });
});

test('killed before it responds, a refresh has happened: the new token counts, and the old one ends the family', async () => {
  const { tokens, grantId } = await server.grantTokens({ app, tenantId });
  await exchangeKilledAt('answer', refreshForm(app, tokens.refresh_token));
  expect(await familyOf(grantId)).toEqual({ generation: 2, current: 1, access: 2 });
  const again = await token(refreshForm(app, tokens.refresh_token));
  expect([again.status, again.body.code]).toEqual([400, 'INVALID_GRANT']);
  expect((await apiOf(server.baseUrl, tokens.access_token)('/v1/me')).status).toBe(401);
});
