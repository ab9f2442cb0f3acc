import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { unitOfWork } from '../db/unit-of-work.ts';
import { createSealer } from '../kernel/seal.ts';
import { type MailSink, startMailSink } from '../testing/mail-sink.ts';
import { RETRY_DELAYS_MS } from './mailer.ts';
import { openText, queueMail } from './queue-mail.ts';
import { createSmtp } from './smtp.ts';
import { type MailTransport, type OutgoingMail, SEND_MS } from './transport.ts';
import { createWorld, from, manyMails, message, sealer, type World } from './world.fixture.ts';

let sink: MailSink;
let world: World;
beforeEach(async () => {
  sink = await startMailSink();
  world = await createWorld(sink.url);
});
afterEach(async () => {
  await world.close();
  await sink.close();
});

test('a mail is sent once, and its text is deleted', async () => {
  const id = await world.queue();
  const mailer = world.mailer();
  await sink.waitFor(1);
  const row = await world.settled(id, { status: 'sent' });
  expect(row).toMatchObject({ body: null, error: null, attempts: 1, sent_at: world.now, recipient: message.to });
  mailer.wake();
  await mailer.stop();
  expect(sink.mails).toHaveLength(1);
  expect(world.logged).toEqual([]);
});

test('the text of a waiting mail is sealed; its address has the domain of SMTP, and no character is hidden', async () => {
  const hidden = '\u202e';
  const id = await world.queue({ to: 'bob@bücher.example', subject: `Hi${hidden}`, text: `${message.text}${hidden}` });
  const { body, recipient, subject } = await world.row(id);
  expect(recipient).toBe('bob@xn--bcher-kva.example');
  expect(Buffer.from(body ?? '').toString('latin1')).not.toContain('one-time-secret');
  const text = openText(sealer, id, body ?? Buffer.alloc(0));
  expect(text).toContain('one-time-secret');
  expect(subject + text).not.toContain(hidden);
});

test('a change that is rolled back sends nothing, and neither does one with two addresses', async () => {
  const change = unitOfWork(world.db, async (tx) => {
    await queueMail(world.db, tx, {
      ...message,
      sealer,
      limits: manyMails,
      tenantId: null,
      network: null,
      now: world.now,
    });
    throw new Error('refused');
  });
  await expect(change).rejects.toThrow('refused');
  await expect(world.queue({ to: `${message.to}, eve@example.com` })).rejects.toThrow('exactly one plain address');
  expect(await world.rows()).toEqual([]);
});

test('a wake-up suffices, without waiting for the poll', async () => {
  const mailer = world.mailer({ pollMs: 1e9 });
  await world.queue();
  mailer.wake();
  await sink.waitFor(1);
});

describe('a mail that cannot be sent', () => {
  test('is retried after a 4xx, when its delay is over', async () => {
    sink.refuse({ command: 'RCPT', reply: '451 4.7.1 greylisted' });
    const id = await world.queue();
    world.mailer();
    const row = await world.settled(id, { attempts: 1, error: expect.stringContaining('greylisted') });
    expect(row).toMatchObject({ status: 'queued', due_at: world.now + (RETRY_DELAYS_MS[0] ?? 0) });
    sink.refuse(null);
    world.now = row.due_at - 1;
    await world.queue({ subject: 'Another' });
    await sink.waitFor(1);
    expect(sink.mails[0]?.message).toContain('Another');
    world.now++;
    await world.settled(id, { status: 'sent', attempts: 2, error: null });
  });

  test.each([
    ['the recipient', 'RCPT'],
    ['the content', 'MESSAGE'],
    ['to take data', 'DATA'],
  ] as const)('fails at once when %s is refused with a 5xx', async (_what, command) => {
    sink.refuse({ command, reply: '550 5.1.1 no' });
    const id = await world.queue();
    world.mailer();
    const row = await world.settled(id, { status: 'failed' });
    expect(row).toMatchObject({ attempts: 1, body: null, error: expect.stringContaining('550 5.1.1 no') });
    expect(world.logged).toMatchObject([{ level: 50, mail: id, reason: expect.stringContaining('550 5.1.1 no') }]);
  });

  test.each([
    ['the connection', 'CONNECT', '554 go away'],
    ['the sender', 'MAIL', '530 5.7.0 authentication required'],
    ['to continue', 'RCPT', '421 4.3.2 shutting down'],
  ] as const)('is retried when %s is refused, which affects every mail', async (_what, command, reply) => {
    sink.refuse({ command, reply });
    const id = await world.queue();
    world.mailer();
    expect(await world.settled(id, { attempts: 1, error: expect.stringMatching(/./) })).toMatchObject({
      status: 'queued',
      due_at: world.now + 60_000,
    });
  });

  test('is retried while there is no server, and is sent when there is one', async () => {
    const gone = await startMailSink();
    await gone.close();
    const id = await world.queue();
    world.mailer({ transport: createSmtp({ smtpUrl: gone.url, from }) });
    await world.settled(id, { status: 'queued', attempts: 1, error: expect.stringContaining('ECONNREFUSED') });
    const back = await startMailSink(Number(URL.parse(gone.url)?.port));
    world.now += 60_000;
    await world.settled(id, { status: 'sent' });
    expect(back.mails).toHaveLength(1);
    await back.close();
  });

  test.each(['CONNECT', 'RCPT', 'MESSAGE'] as const)(
    'is retried when the server stops responding at %s',
    async (at) => {
      sink.refuse({ command: at, reply: 'hang' });
      const id = await world.queue();
      world.mailer({ transport: createSmtp({ smtpUrl: sink.url, from }, 100) });
      await world.settled(id, { status: 'queued', attempts: 1, error: expect.stringContaining('abort') });
    },
  );

  test('fails after about a day', async () => {
    sink.refuse({ command: 'RCPT', reply: '450 later' });
    const began = world.now;
    const id = await world.queue();
    world.mailer();
    for (const [i, delay] of RETRY_DELAYS_MS.entries()) {
      await world.settled(id, { attempts: i + 1, due_at: world.now + delay });
      world.now += delay;
    }
    await world.settled(id, { status: 'failed', attempts: RETRY_DELAYS_MS.length + 1, body: null });
    expect((world.now - began) / 3_600_000).toBeGreaterThan(20);
    expect((world.now - began) / 3_600_000).toBeLessThan(28);
    expect(world.logged.at(-1)).toMatchObject({ level: 50 });
  });

  test('fails without being sent when it has expired', async () => {
    const expired = await world.queue({ expiresAt: world.now });
    const fresh = await world.queue({ expiresAt: world.now + 1 });
    world.mailer();
    await world.settled(fresh, { status: 'sent' });
    await world.settled(expired, { status: 'failed', body: null, error: expect.stringContaining('expired') });
    expect(sink.mails).toHaveLength(1);
  });

  test('its links and codes appear in no error and no log, even if the server quotes them', async () => {
    // Like an invitation, whose link begins with the address of the platform.
    const text = 'Platform: https://plat.example\nOpen https://plat.example/accept#one-time-secret, or type 483920.';
    sink.refuse({ command: 'MESSAGE', reply: '554 spam: https://plat.example/accept#one-time-secret 483920' });
    const id = await world.queue({ text });
    world.mailer();
    const { error } = await world.settled(id, { status: 'failed' });
    expect(error).toContain('554 spam: […] […]');
    expect(JSON.stringify(world.logged)).not.toMatch(/secret|483920/);
  });

  test('is kept for a process that has the master key', async () => {
    const id = await world.queue();
    world.mailer({ sealer: createSealer([Buffer.alloc(32, 8)]) });
    await world.settled(id, { status: 'queued', error: expect.stringContaining('master key') });
    world.now += 60_000;
    expect((await world.row(id)).body).not.toBeNull();
  });
});

describe('several mailers on one database', () => {
  test('send each mail once', async () => {
    const mails = 60;
    await unitOfWork(world.db, async (tx) => {
      for (let i = 0; i < mails; i++) {
        await queueMail(world.db, tx, {
          ...message,
          subject: `Mail ${i}.`,
          sealer,
          limits: manyMails,
          tenantId: null,
          network: null,
          now: world.now,
        });
      }
    });
    for (let i = 0; i < 3; i++) world.mailer({ db: await world.openDb() });
    await sink.waitFor(mails);
    await expect.poll(async () => (await world.rows()).every(({ status }) => status === 'sent')).toBe(true);
    const subjects = sink.mails.map(({ message: sent }) => /^Subject: (.*)$/m.exec(sent)?.[1]);
    expect(new Set(subjects).size).toBe(mails);
    expect(subjects).toHaveLength(mails);
    expect((await world.rows()).every(({ attempts }) => attempts === 1)).toBe(true);
  });

  test('a mail of a killed mailer is sent when its lease has ended', async () => {
    const dead = stuckTransport();
    const id = await world.queue();
    world.mailer({ transport: dead, leaseMs: 1000, inFlight: 1 });
    await dead.begun;
    const alive = world.mailer({ db: await world.openDb(), leaseMs: 1000 });
    alive.wake();
    await world.queue({ subject: 'Another' });
    await sink.waitFor(1);
    expect(await world.row(id)).toMatchObject({ status: 'queued', attempts: 1, due_at: world.now + 1000 });
    world.now += 1000;
    await world.settled(id, { status: 'sent', attempts: 2 });
    // The late outcome of the first mailer is not stored.
    dead.fail(new Error('too late'));
    await world.settled(id, { status: 'sent', error: null });
  });
});

describe('when it stops', () => {
  test('a mailer waits for in-flight mails', async () => {
    const slow = stuckTransport();
    const id = await world.queue();
    const mailer = world.mailer({ transport: slow });
    await slow.begun;
    // Not due for another mailer before the attempt has ended.
    expect((await world.row(id)).due_at).toBeGreaterThan(world.now + SEND_MS);
    const stopped = mailer.stop();
    slow.succeed();
    await stopped;
    expect(await world.row(id)).toMatchObject({ status: 'sent' });
  });

  test('a mail that takes too long is cut, and stays due', async () => {
    sink.refuse({ command: 'RCPT', reply: 'hang' });
    const id = await world.queue();
    const mailer = world.mailer({ drainMs: 1 });
    await expect.poll(() => sink.connections).toBe(1);
    await mailer.stop();
    expect(await world.row(id)).toMatchObject({ status: 'queued', attempts: 1, due_at: world.now + 60_000 });
  });
});

/** A transport that holds a mail until the test sets its outcome. */
function stuckTransport(): MailTransport & {
  readonly begun: Promise<OutgoingMail>;
  succeed(): void;
  fail(error: Error): void;
} {
  const begun = Promise.withResolvers<OutgoingMail>();
  const end = Promise.withResolvers<void>();
  return {
    keepsText: false,
    begun: begun.promise,
    succeed: () => end.resolve(),
    fail: (error) => end.reject(error),
    send(mail) {
      begun.resolve(mail);
      return end.promise;
    },
    close: () => end.reject(new Error('closed')),
  };
}
