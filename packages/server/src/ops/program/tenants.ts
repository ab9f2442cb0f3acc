import { type Command, InvalidArgumentError } from 'commander';
import { printFields, printRows } from '../commands/print.ts';
import { readQuotaOption, setQuotas, showQuotas } from '../commands/quotas.ts';
import { changeTenantStatus, createProductionTenant, isTenantStatus, listTenants } from '../commands/tenants.ts';
import { addPaging, JSON_OPTION, type Operate } from './options.ts';

export function addTenants(program: Command, operate: Operate): void {
  const tenants = program.command('tenants').description('production tenants: create, list, suspend, reactivate');
  tenants
    .command('create')
    .description('create a tenant with its owner and an API key, which is shown once')
    .requiredOption('--name <name>', 'name of the tenant')
    .requiredOption('--owner-email <address>', 'email address of its owner')
    .option('--owner-name <name>', 'name of its owner')
    .option('--plan <slug>', 'plan of the catalog')
    .option(...JSON_OPTION)
    .action(async ({ json = false, ...options }) => {
      printFields(await operate((operator) => createProductionTenant(operator, options)), json);
    });
  addPaging(tenants.command('list').description('list tenants, newest first, sandboxes included'))
    .option('--status <status>', 'only tenants with this status: active, suspended', (given) => {
      if (isTenantStatus(given)) return given;
      throw new InvalidArgumentError('must be active or suspended.');
    })
    .action(async ({ json = false, ...options }) => {
      printRows(await operate((operator) => listTenants(operator, options)), json);
    });
  addQuotas(tenants, operate);
  for (const [verb, status, description] of [
    ['suspend', 'suspended', 'suspend the access of a tenant (event tenant.suspended)'],
    ['reactivate', 'active', 'restore the access of a suspended tenant (event tenant.reactivated)'],
  ] as const) {
    tenants
      .command(`${verb} <tenant_id>`)
      .description(description)
      .option(...JSON_OPTION)
      .action(async (tenantId: string, { json = false }) => {
        printFields(await operate((operator) => changeTenantStatus(operator, tenantId, status)), json);
      });
  }
}

function addQuotas(tenants: Command, operate: Operate): void {
  tenants
    .command('quotas <tenant_id>')
    .description('show the quotas of a tenant and their use; change them with --set')
    .option('--set <quotas>', 'for example clients=5000,users=default')
    .option(...JSON_OPTION)
    .action(async (tenantId: string, { json = false, set }) => {
      const given = set === undefined ? null : readQuotaOption(set);
      printRows(
        await operate((operator) => (given ? setQuotas(operator, tenantId, given) : showQuotas(operator, tenantId))),
        json,
      );
    });
}
