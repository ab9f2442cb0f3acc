import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect } from 'vitest';
import type { MailLimits } from '../config/mail-limits.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { openMigrated } from '../db/migrated-file.ts';
import { select, selectOne } from '../db/sql.ts';
import type { MailRow } from '../db/tables/mails.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { createSealer } from '../kernel/seal.ts';
import { createMailer, type Mailer, type MailerOptions } from './mailer.ts';
import type { Message } from './message.ts';
import { queueMail } from './queue-mail.ts';
import { createSmtp } from './smtp.ts';

/** A database file with helpers. For tests only. */
export interface World {
  readonly db: Database;
  /** Time of the mailers, in ms. */
  now: number;
  /** Log lines at warn level and above. */
  readonly logged: { level: number; reason?: string }[];
  /** Another connection to the same file, like that of another process. */
  openDb(): Promise<Database>;
  /** Queues a mail in its own transaction. */
  queue(message?: Partial<Message>): Promise<string>;
  row(id: string): Promise<MailRow>;
  rows(): Promise<MailRow[]>;
  /** Waits until the row has these values. */
  settled(id: string, like: Partial<MailRow>): Promise<MailRow>;
  /** Starts a mailer that runs until the world ends, over the SMTP server of the world by default. */
  mailer(options?: Partial<MailerOptions>): Mailer;
  close(): Promise<void>;
}

export const sealer = createSealer([Buffer.alloc(32, 7)]);
export const from = { name: 'Plat', address: 'plat@sender.example' };
const many = { max: 1_000_000, seconds: 3600 };
/** Limits that no test reaches. */
export const manyMails: MailLimits = {
  production: { recipient: many, tenant: many, network: many },
  sandbox: { recipient: many, tenant: many, network: many },
  signIn: { recipient: many, network: many },
};
export const message: Message = {
  to: 'bob@example.com',
  subject: 'You are invited',
  text: 'Welcome.\n\nhttps://plat.example/accept#one-time-secret\n',
  kind: 'user_invitation',
};

export async function createWorld(smtpUrl: string): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-mail-'));
  const open = (): Promise<Database> => openDatabase({ dialect: 'sqlite', path: join(folder, 'plat.db') });
  const db = await openMigrated(folder);
  const opened = [db];
  const mailers: Mailer[] = [];
  const logged: World['logged'] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const world: World = {
    db,
    now: Date.UTC(2026, 0, 1),
    logged,
    async openDb() {
      const another = await open();
      opened.push(another);
      return another;
    },
    queue: (given = {}) =>
      unitOfWork(db, (tx) =>
        queueMail(db, tx, {
          ...message,
          ...given,
          sealer,
          limits: manyMails,
          tenantId: null,
          network: null,
          now: world.now,
        }),
      ),
    async row(id) {
      const row = await selectOne<MailRow>(db, 'SELECT * FROM mails WHERE id = :id', { id });
      if (!row) throw new Error(`there is no mail ${id}`);
      return row;
    },
    rows: () => select<MailRow>(db, 'SELECT * FROM mails ORDER BY id'),
    async settled(id, like) {
      await expect.poll(() => world.row(id), { timeout: 10_000, interval: 5 }).toMatchObject(like);
      return world.row(id);
    },
    mailer(options = {}) {
      const transport = options.transport ?? createSmtp({ smtpUrl, from });
      const made = createMailer({ db, sealer, log, clock: () => world.now, pollMs: 20, ...options, transport });
      mailers.push(made);
      made.start();
      return made;
    },
    async close() {
      await Promise.all(mailers.map((mailer) => mailer.stop()));
      for (const database of opened) await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return world;
}
