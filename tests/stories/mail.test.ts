import { randomBytes } from 'node:crypto';
import {
  captureStatements,
  createTestServer,
  execute,
  type MailSink,
  newId,
  select,
  selectOne,
  startMailSink,
  type TestServer,
} from '@plat/server/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { type FreshDatabase, migratedDatabase } from '../support/database.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

let database: FreshDatabase;
let sink: MailSink;
let ending: { stop(): Promise<unknown> }[];

beforeEach(async () => {
  database = await migratedDatabase();
  sink = await startMailSink();
  ending = [];
});

afterEach(async () => {
  await Promise.all(ending.map((running) => running.stop()));
  await sink.close();
  await database.drop();
});

const PLAT_MASTER_KEY = randomBytes(32).toString('base64');
const smtp = () => ({ PLAT_MASTER_KEY, SMTP_URL: sink.url, MAIL_FROM: 'Plat <plat@example.com>' });
const invitation = {
  to: 'bob@example.com',
  subject: 'You are invited',
  text: 'Accept: https://plat.example/accept#secret-of-the-link',
  kind: 'user_invitation',
};

async function start(env: Record<string, string>): Promise<TestServer> {
  const server = await createTestServer({ databaseUrl: database.url, env });
  ending.push({ stop: () => server.close() });
  return server;
}

async function startProcess(env: Record<string, string>, dataDir?: string): Promise<ServerProcess> {
  const server = await startServerProcess({ DATABASE_URL: database.url, ...env }, dataDir, '--migrate');
  ending.push(server);
  return server;
}

interface Row {
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
  readonly body: unknown;
  readonly error: string | null;
}

const rows = ({ db }: TestServer) => select<Row>(db, 'SELECT * FROM mails');
const allSent = async (server: TestServer) => (await rows(server)).every(({ status }) => status === 'sent');

describe('with an SMTP server', () => {
  test('two servers send every mail once, and delete its text', async () => {
    const [first, second] = [await start(smtp()), await start(smtp())];
    const mails = Array.from({ length: 40 }, (_, i) => ({ ...invitation, subject: `Mail ${i}.` }));
    await Promise.all(mails.map((mail, i) => (i % 2 ? first : second).queueMail(mail)));
    await sink.waitFor(mails.length);
    await expect.poll(() => allSent(first)).toBe(true);
    const subjects = sink.mails.map(({ message }) => /^Subject: (.*)$/m.exec(message)?.[1] ?? '');
    expect(subjects.sort()).toEqual(mails.map(({ subject }) => subject).sort());
    for (const { body, attempts } of await rows(first)) expect({ body, attempts }).toEqual({ body: null, attempts: 1 });
    expect(new Set((await first.mails()).map(({ text }) => text))).toEqual(new Set(['']));
  });

  test('a mail that could not be sent is sent again when it is due', async () => {
    sink.refuse({ command: 'RCPT', reply: '451 greylisted' });
    const server = await start(smtp());
    const id = await server.queueMail(invitation);
    const row = () => selectOne<Row>(server.db, 'SELECT * FROM mails WHERE id = :id', { id });
    await expect.poll(row).toMatchObject({ error: expect.stringContaining('greylisted') });
    expect(await row()).toMatchObject({ status: 'queued', attempts: 1 });
    sink.refuse(null);
    await makeDue(server);
    await expect.poll(row).toMatchObject({ status: 'sent', attempts: 2, error: null });
    expect(sink.mails).toHaveLength(1);
  });

  test('mails of a suspended tenant wait until it is reactivated', async () => {
    const here = await start({ PLAT_MASTER_KEY, PLAT_DISPATCH: 'false' });
    const { tenantId, apiKey } = await here.createTenant();
    await apiOf(here.baseUrl, apiKey)('/v1/users', { body: { email: invitation.to, role: 'member' } });
    await here.setTenantStatus(tenantId, 'suspended');
    await (await start(smtp())).idle();
    expect(await rows(here)).toMatchObject([{ status: 'queued', attempts: 0, error: null }]);
    await here.setTenantStatus(tenantId, 'active');
    await makeDue(here);
    await sink.waitFor(1);
  });

  test('a mail whose sender was killed is sent by another process after the lease has expired', async () => {
    sink.refuse({ command: 'MESSAGE', reply: 'hang' });
    const killed = await startProcess(smtp());
    const here = await start({ PLAT_MASTER_KEY, PLAT_DISPATCH: 'false' });
    await here.queueMail(invitation);
    await expect.poll(() => rows(here)).toMatchObject([{ status: 'queued', attempts: 1 }]);
    await killed.kill9();
    sink.refuse(null);
    await makeDue(here);
    await start(smtp());
    await sink.waitFor(1);
    await expect.poll(() => rows(here)).toMatchObject([{ status: 'sent', attempts: 2 }]);
  });
});

test('the query for due mails reads the index in its order, however many mails were sent', async () => {
  const server = await start({ PLAT_MASTER_KEY, PLAT_DISPATCH: 'false' });
  const { db } = server;
  const sent = { tenant_id: null, kind: 'old', recipient: 'a@b.example', subject: 'Old', body: null };
  const times = { due_at: 1, expires_at: null, sent_at: 1, created_at: 1, updated_at: 1 };
  const old = Array.from({ length: 3000 }, () => ({
    ...{ id: newId('mail'), status: 'sent' as const, attempts: 1, error: null },
    ...sent,
    ...times,
  }));
  await db.models.mail.bulkCreate(old);
  if (database.kind !== 'sqlite') await db.sequelize.query('ANALYZE TABLE mails');

  const mailing = await start(smtp());
  const statements = await captureStatements(mailing.db, async () => {
    await server.queueMail(invitation);
    await sink.waitFor(1);
  });
  const look = statements.find((statement) => /^SELECT .* FROM mails m /s.test(statement)) ?? '';
  const explain = database.kind === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
  const plan = JSON.stringify(await select(db, `${explain} ${look}`));
  expect(plan).toContain('mails_due');
  expect(plan).not.toMatch(/filesort|temporary|SCAN |TEMP B-TREE|"type":"ALL"/);
});

describe('without one, in development', () => {
  test('the page shows the mails, to people and to programs', async () => {
    const server = await start({});
    await server.queueMail({ ...invitation, subject: 'The <first>' });
    await server.queueMail(invitation);
    const shown = await fetch(`${server.baseUrl}/_dev/mail`);
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
    const text = await shown.text();
    expect(text).toContain('href="https://plat.example/accept#secret-of-the-link"');
    expect(text).toContain('The &lt;first&gt;');

    const { body } = await apiOf(server.baseUrl)('/_dev/mail', { headers: { accept: 'application/json' } });
    expect(body).toMatchObject([invitation, { subject: 'The <first>' }]);
    expect(Object.keys(body[0]).sort()).toEqual(['created_at', 'id', 'kind', 'subject', 'text', 'to']);
    expect(await server.mails()).toEqual([invitation, { ...invitation, subject: 'The <first>' }]);
    await expect.poll(() => allSent(server)).toBe(true);
    expect(await server.mails()).toHaveLength(2);
  });

  test('the page responds 404 to callers behind a proxy', async () => {
    const server = await start({});
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    expectRefusal(await apiOf(server.baseUrl)('/_dev/mail', { headers }), 'NOT_FOUND');
  });

  test('the mail is printed', async () => {
    const dataDir = tempFolder('mail').path;
    const server = await startProcess({}, dataDir);
    const here = await start({ PLAT_DATA_DIR: dataDir, PLAT_DISPATCH: 'false' });
    await here.queueMail(invitation);
    await server.waitFor(/ {2}\| To: bob@example\.com\n {2}\| Subject: You are invited\n {2}\|\n {2}\| Accept: https:/);
  });
});

describe('without one, in production', () => {
  const production = { NODE_ENV: 'production', PLAT_MASTER_KEY };

  test('mail waits, the log reports it once, and there is no page', async () => {
    const server = await startProcess(production);
    const here = await start({ ...production, PLAT_DISPATCH: 'false' });
    await here.queueMail(invitation);
    expectRefusal(await apiOf(server.baseUrl)('/_dev/mail'), 'NOT_FOUND');
    await start({ ...production, ...smtp() });
    await sink.waitFor(1);

    await server.stop();
    const lines = server.stdout().split('\n');
    const logged = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
    const warnings = logged.filter(({ level }) => level >= 40);
    expect(warnings).toMatchObject([{ level: 40, msg: expect.stringContaining('SMTP_URL') }]);
    expect(await rows(here)).toMatchObject([{ attempts: 1 }]);
  });

  test('there is no page with an SMTP server either', async () => {
    const server = await start({ ...production, ...smtp() });
    expectRefusal(await apiOf(server.baseUrl)('/_dev/mail'), 'NOT_FOUND');
  });
});

/** As if a delay or a lease had ended. */
async function makeDue({ db }: TestServer): Promise<void> {
  await execute(db, "UPDATE mails SET due_at = 0 WHERE status = 'queued'");
}
