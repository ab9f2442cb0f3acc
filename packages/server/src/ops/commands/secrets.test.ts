import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LIMITS } from '@plat/contract';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../config/read-config.ts';
import { migrate } from '../../db/migrate.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { createSealer } from '../../kernel/seal.ts';
import { queueMail } from '../../mail/queue-mail.ts';
import { asOperator, onDatabase } from './operator.ts';
import { reencryptSecrets, secretsStatus } from './secrets.ts';

const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);

const STRANGE = Buffer.alloc(32, 3);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-secrets-'));
});
afterEach(() => rm(folder, { recursive: true }));

test.each([
  [1, true, 2],
  [2, false, 3],
])('after %i passes that another process undid the old key may go: %s', async (undone, isRemovable, reencrypted) => {
  const path = join(folder, 'plat.db');
  const keys = [NEW, OLD].map((key) => key.toString('base64')).join(',');
  const config = readConfig({ DATABASE_URL: `sqlite:${path}`, PLAT_DATA_DIR: folder, PLAT_MASTER_KEY: keys });
  const old = createSealer([OLD]);
  await onDatabase(config, migrate);
  await asOperator(config, pino({ level: 'silent' }), async (operator) => {
    const { db } = operator;
    const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', kind: 'test', tenantId: null };
    const id = await unitOfWork(db, (transaction) =>
      queueMail(db, transaction, { ...mail, limits: LIMITS.mail, network: null, sealer: old, now: Date.now() }),
    );
    // A process whose first key is the old one writes the text again, each time after it was looked at.
    const other = new DatabaseSync(path);
    const write = other.prepare('UPDATE mails SET body = ?');
    let times = 0;
    const report = await reencryptSecrets(operator, (kind) => {
      if (kind === 'mail' && ++times <= undone) write.run(old.seal('Hello', `text of mail ${id}`));
    });
    other.close();
    expect(report.kinds.find(({ kind }) => kind === 'mail')).toMatchObject({ reencrypted, already_current: 0 });
    expect(report).toMatchObject({ old_keys_removable: isRemovable, unreadable: [] });
    expect(report.old_keys_removable).toBe(isRemovable);
    expect(report.notes.join()).toMatch(isRemovable ? /remove old keys/ : /still encrypts with another key/);
  });
});

test.each([
  [
    'one key, which sealed everything',
    [NEW],
    NEW,
    true,
    [/^every value is encrypted with the only key of PLAT_MASTER_KEY$/],
  ],
  // Step 1 of a replacement, and its end, look the same.
  [
    'two keys, the first of which sealed everything',
    [NEW, OLD],
    NEW,
    true,
    [/remove old keys.* new one .*in front/, /signs out/],
  ],
  ['two keys, the second of which sealed something', [NEW, OLD], OLD, false, [/with another key than the first/]],
  ['one key, and a value that it cannot read', [NEW], STRANGE, false, [/^1 values cannot be read/]],
  ['two keys, and a value that neither can read', [NEW, OLD], STRANGE, false, [/^1 values cannot be read/]],
])('status says what follows from %s', async (_, keys, sealedBy, isRemovable, notes) => {
  const config = readConfig({
    DATABASE_URL: `sqlite:${join(folder, 'plat.db')}`,
    PLAT_DATA_DIR: folder,
    PLAT_MASTER_KEY: keys.map((key) => key.toString('base64')).join(','),
  });
  await onDatabase(config, migrate);
  await asOperator(config, pino({ level: 'silent' }), async (operator) => {
    const { db } = operator;
    const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', kind: 'test', tenantId: null };
    const sealer = createSealer([sealedBy]);
    await unitOfWork(db, (transaction) =>
      queueMail(db, transaction, { ...mail, limits: LIMITS.mail, network: null, sealer, now: Date.now() }),
    );
    const report = await secretsStatus(operator);
    expect(report.notes).toEqual(notes.map((note) => expect.stringMatching(note)));
    expect(report.old_keys_removable).toBe(isRemovable);
    expect(report.old_keys_removable).toBe(isRemovable);
  });
});
