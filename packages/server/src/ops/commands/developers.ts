import { isId } from '@plat/contract';
import { email } from '@plat/contract/schemas';
import { mintApiKey } from '../../auth/api-keys.ts';
import { OPERATOR } from '../../change.ts';
import { violates } from '../../db/errors.ts';
import { selectPage } from '../../db/page.ts';
import { DEVELOPER_EMAIL, DEVELOPERS } from '../../db/tables/developers.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { isoTime } from '../../kernel/clock.ts';
import { seededId } from '../../kernel/ids.ts';
import { createDeveloper, findDeveloper } from '../../sandbox/developers.ts';
import { noSandbox, resetSandbox } from '../../sandbox/reset.ts';
import { CommandError } from '../command-error.ts';
import { type Operator, readOption } from './operator.ts';

/** Creates a developer account with its sandbox, and an API key that is shown once. */
export async function createDeveloperAccount({ db, now }: Operator, address: string) {
  const checked = readOption('--email', email(), address);
  const taken = () => new CommandError(`${checked} has a developer account already`);
  return unitOfWork(db, async (transaction) => {
    if (await findDeveloper(db, transaction, checked)) throw taken();
    const { id, tenantId } = await createDeveloper(db, transaction, { email: checked, actor: OPERATOR, now });
    const createdBy = seededId(tenantId, 'user', 0);
    const apiKey = await mintApiKey(db, transaction, { tenantId, mode: 'test', createdBy, now });
    return { developer_id: id, email: checked, tenant_id: tenantId, api_key: apiKey };
  }).catch((error: unknown) => {
    // Another process has created the account since the look-up.
    throw violates(error, DEVELOPER_EMAIL) ? taken() : error;
  });
}

interface ListOptions {
  readonly limit: number;
  readonly startingAfter?: string;
}

/** Lists developer accounts, newest first. */
export async function listDevelopers({ db }: Operator, { limit, startingAfter }: ListOptions) {
  const { rows } = await selectPage(db, {
    table: DEVELOPERS,
    columns: ['id', 'email', 'tenant_id', 'created_at'],
    kind: 'developer',
    tenantId: null,
    params: { limit, ...(startingAfter === undefined ? {} : { starting_after: startingAfter }) },
  });
  return rows.map(({ id, email, tenant_id, created_at }) => ({
    id,
    email,
    tenant_id,
    created_at: isoTime(created_at),
  }));
}

/** Resets a sandbox to its seeded content. */
export async function resetDeveloperSandbox({ db, now }: Operator, tenantId: string) {
  if (!isId('tenant', tenantId)) throw noSandbox(tenantId);
  await resetSandbox(db, { tenantId, actor: OPERATOR, now });
  return { tenant_id: tenantId, reset: true };
}
