import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute } from '../db/sql.ts';
import { captureStatements } from '../testing/index.ts';
import { type ClaimedMail, createMailQueue, type MailQueue } from './mail-queue.ts';
import { createWorld, type World } from './world.fixture.ts';

let world: World;
let queue: MailQueue;
beforeEach(async () => {
  world = await createWorld('smtp://127.0.0.1:9');
  queue = createMailQueue(world.db, () => world.now);
});
afterEach(() => world.close());

/** Returns the only due mail. */
async function claim(): Promise<ClaimedMail> {
  const { claimed } = await queue.claim(4, 1000);
  const [mail] = claimed;
  if (!mail || claimed.length > 1) throw new Error(`${claimed.length} mails are due`);
  return mail;
}

test('claims the mails that are due the longest first, and no more than requested', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 3; i++, world.now++) ids.push(await world.queue());
  world.now += 10;
  const { claimed } = await queue.claim(2, 1000);
  expect(claimed.map(({ id }) => id)).toEqual(ids.slice(0, 2));
});

test('a claimed mail is not due for other mailers until the lease ends', async () => {
  const id = await world.queue();
  await claim();
  world.now += 999;
  expect(await queue.claim(4, 1000)).toEqual({ seen: 0, claimed: [] });
  world.now++;
  expect(await claim()).toMatchObject({ id, attempts: 2 });
});

test('a mailer that lost its lease can neither postpone nor fail the mail', async () => {
  const id = await world.queue();
  const overtaken = await claim();
  world.now += 1000;
  await claim();
  const row = await world.row(id);
  await queue.retry(overtaken, 60_000, 'late news');
  await queue.failed(overtaken, 'late news');
  expect(await world.row(id)).toEqual(row);
});

test('a mail of a tenant whose row an import has not inserted yet waits, and counts no attempt', async () => {
  const id = await world.queue();
  await execute(world.db, "UPDATE mails SET tenant_id = 'tnt_imported'");
  expect(await queue.claim(4, 1000)).toEqual({ seen: 1, claimed: [] });
  expect(await queue.isAnyDue()).toBe(false);
  expect(await world.row(id)).toMatchObject({ status: 'queued', attempts: 0 });
});

test('any mailer can mark a mail as sent', async () => {
  const id = await world.queue();
  const overtaken = await claim();
  world.now += 1000;
  const current = await claim();
  await queue.sent(overtaken, false);
  await queue.retry(current, 60_000, 'connection lost');
  expect(await world.row(id)).toMatchObject({ status: 'sent', error: null, body: null });
});

test('a text is kept if the transport keeps texts', async () => {
  const id = await world.queue();
  await queue.sent(await claim(), true);
  expect((await world.row(id)).body).not.toBeNull();
});

test('without its own clock the queue uses that of the database', async () => {
  world.now = Date.now() + 3_600_000;
  const id = await world.queue();
  const { claimed } = await createMailQueue(world.db).claim(4, 1000);
  expect(claimed).toMatchObject([{ id }]);
  expect(Math.abs((await world.row(id)).due_at - Date.now())).toBeLessThan(60_000);
});

test('the query for due mails is a range of the index, in its order', async () => {
  const [look = ''] = await captureStatements(world.db, () => queue.claim(4, 1000));
  const [plan] = await world.db.sequelize.query(`EXPLAIN QUERY PLAN ${look}`);
  expect(plan).toMatchObject([
    { detail: expect.stringContaining('USING INDEX mails_due (status=? AND due_at<?)') },
    { detail: expect.stringContaining('SEARCH t USING PRIMARY KEY (id=?)') },
  ]);
});
