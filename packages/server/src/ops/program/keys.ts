import type { Command } from 'commander';
import { printFields } from '../commands/print.ts';
import { mintLegacyKey, mintTenantKey } from '../commands/tenants.ts';
import { JSON_OPTION, type Operate, readScopes } from './options.ts';

export function addKeys(program: Command, operate: Operate): void {
  const keys = program.command('keys').description('API keys');
  keys
    .command('mint <tenant_id>')
    .description("replace a tenant's API key; the new key is shown once, the old key stops working at once")
    .option('--scopes <scopes>', 'separated by commas; defaults to all', readScopes)
    .option(...JSON_OPTION)
    .action(async (tenantId: string, { json = false, scopes }) => {
      printFields(await operate((operator) => mintTenantKey(operator, tenantId, scopes)), json);
    });
  keys
    .command('mint-vendor')
    .description('create a legacy key without a tenant, which /v1 refuses')
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => printFields(await operate(mintLegacyKey), json));
}
