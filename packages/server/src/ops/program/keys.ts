import { LIMITS } from '@plat/contract';
import { type Command, InvalidArgumentError } from 'commander';
import { lazily } from '../../kernel/lazily.ts';
import { printFields, printRows } from '../commands/print.ts';
import { JSON_OPTION, type Operate, readDuration, readScopes } from './options.ts';

const { mintTenantKey, revokePreviousTenantKey } = lazily(() => import('../commands/tenants.ts'));
const { listVendorAudit, listVendorKeys, mintVendor, revokeVendorKey } = lazily(
  () => import('../commands/vendor-keys.ts'),
);

export function addKeys(program: Command, operate: Operate): void {
  const keys = program.command('keys').description('API keys');
  keys
    .command('mint <tenant_id>')
    .description("replace a tenant's API key; the new key is shown once, the old key is refused at once unless kept")
    .option('--scopes <scopes>', 'separated by commas; defaults to all', readScopes)
    .option('--expires-in <duration>', 'keep the old key valid for a while, for example 24h; 7d at most', readOverlap)
    .option(...JSON_OPTION)
    .action(async (tenantId: string, { json = false, scopes, expiresIn }) => {
      const options = { scopes, keepPreviousMs: expiresIn };
      printFields(await operate((operator) => mintTenantKey(operator, tenantId, options)), json);
    });
  keys
    .command('revoke-previous <tenant_id>')
    .description('end the previous API key of a tenant before it expires; the current key stays valid')
    .option(...JSON_OPTION)
    .action(async (tenantId: string, { json = false }) => {
      printFields(await operate((operator) => revokePreviousTenantKey(operator, tenantId)), json);
    });
  keys
    .command('mint-vendor')
    .description('create a key for a billing system, shown once; it opens /operator/v1 and nothing else')
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => printFields(await operate(mintVendor), json));
  keys
    .command('list-vendor')
    .description('list the keys of billing systems')
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => printRows(await operate(listVendorKeys), json));
  keys
    .command('audit-vendor')
    .description('list when keys of billing systems were created and revoked')
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => printRows(await operate(listVendorAudit), json));
  keys
    .command('revoke-vendor <key_id>')
    .description('end the key of a billing system at once')
    .option(...JSON_OPTION)
    .action(async (id: string, { json = false }) => {
      printFields(await operate((operator) => revokeVendorKey(operator, id)), json);
    });
}

function readOverlap(given: string): number {
  const ms = readDuration(given);
  if (ms <= LIMITS.apiKeyOverlapSeconds * 1000) return ms;
  throw new InvalidArgumentError('must be 7d at most.');
}
