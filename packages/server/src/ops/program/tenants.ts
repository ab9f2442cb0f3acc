import { TENANT_STATUSES } from '@plat/contract';
import { type Command, Option } from 'commander';
import { GRACE_DAYS } from '../../accounts/deletion-grace.ts';
import { lazily } from '../../kernel/lazily.ts';
import { CommandError } from '../command-error.ts';
import { printFields, printObjects, printRows } from '../commands/print.ts';
import { addPaging, JSON_OPTION, type Operate } from './options.ts';

const { readQuotaOption, setQuotas, showQuotas } = lazily(() => import('../commands/quotas.ts'));
const { addOwner, changePlan, endSessions, rename } = lazily(() => import('../commands/tenant-changes.ts'));
const { deleteTenant, restoreTenant } = lazily(() => import('../commands/tenant-deletion.ts'));
const { searchTenants, showTenant } = lazily(() => import('../commands/tenant-details.ts'));
const { exportTenant } = lazily(() => import('../commands/tenant-export.ts'));
const { importTenant } = lazily(() => import('../commands/tenant-import.ts'));
const { changeTenantStatus, createProductionTenant, listTenants } = lazily(() => import('../commands/tenants.ts'));

export function addTenants(program: Command, operate: Operate): void {
  const tenants = program
    .command('tenants')
    .description('tenants: create, look at, change, suspend, reactivate, delete');
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
    .addOption(new Option('--status <status>', 'only tenants with this status').choices(TENANT_STATUSES))
    .action(async ({ json = false, ...options }) => {
      printRows(await operate((operator) => listTenants(operator, options)), json);
    });
  addQuotas(tenants, operate);
  addDetails(tenants, operate);
  addChanges(tenants, operate);
  addDeletion(tenants, operate);
  addArchives(tenants, operate);
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

function addDeletion(tenants: Command, operate: Operate): void {
  tenants
    .command('delete <tenant_id>')
    .description(`suspend a tenant at once, and delete it with everything it has after ${GRACE_DAYS} days`)
    .option('-y, --yes', 'confirm; required')
    .option(...JSON_OPTION)
    .action(async (tenantId: string, { json = false, yes = false }) => {
      if (!yes) throw new CommandError('this suspends the tenant at once and deletes it later; confirm with --yes');
      printFields(await operate((operator) => deleteTenant(operator, tenantId)), json);
    });
  tenants
    .command('restore <tenant_id>')
    .description('cancel the deletion of a tenant, and reactivate it')
    .option(...JSON_OPTION)
    .action(async (tenantId: string, { json = false }) => {
      printFields(await operate((operator) => restoreTenant(operator, tenantId)), json);
    });
}

function addArchives(tenants: Command, operate: Operate): void {
  tenants
    .command('export <tenant_id> <folder>')
    .description('write the rows of a suspended tenant to a new folder: a file for each table, and a manifest')
    .option(...JSON_OPTION)
    .action(async (tenantId: string, folder: string, { json = false }) => {
      printObjects(await operate((operator) => exportTenant(operator, tenantId, folder)), ['file', 'rows'], json);
    });
  tenants
    .command('import <folder>')
    .description('create a tenant from an export; it stays suspended until it is reactivated')
    .option(...JSON_OPTION)
    .action(async (folder: string, { json = false }) => {
      printObjects(await operate((operator) => importTenant(operator, folder)), ['file', 'rows'], json);
    });
}

function addQuotas(tenants: Command, operate: Operate): void {
  tenants
    .command('quotas <tenant_id>')
    .description('show the quotas of a tenant and their use; change them with --set')
    .option('--set <quotas>', 'for example clients=5000,users=default')
    .option(...JSON_OPTION)
    .action(async (tenantId: string, { json = false, set }) => {
      const given = set === undefined ? null : await readQuotaOption(set);
      printRows(
        await operate((operator) => (given ? setQuotas(operator, tenantId, given) : showQuotas(operator, tenantId))),
        json,
      );
    });
}

function addDetails(tenants: Command, operate: Operate): void {
  tenants
    .command('show <tenant_id>')
    .description('show a tenant with its owners, key, endpoints and quotas')
    .option(...JSON_OPTION)
    .action(async (tenantId: string, { json = false }) => {
      printFields(await operate((operator) => showTenant(operator, tenantId)), json);
    });
  tenants
    .command('search <text>')
    .description("find tenants by id, a part of the name, a client's domain or a user's email address")
    .option(...JSON_OPTION)
    .action(async (text: string, { json = false }) => {
      printRows(await operate((operator) => searchTenants(operator, text)), json);
    });
}

function addChanges(tenants: Command, operate: Operate): void {
  tenants
    .command('rename <tenant_id> <name>')
    .description('rename a tenant')
    .option(...JSON_OPTION)
    .action(async (tenantId: string, name: string, { json = false }) => {
      printFields(await operate((operator) => rename(operator, tenantId, name)), json);
    });
  tenants
    .command('plan <tenant_id> [plan]')
    .description('give a tenant a plan of the catalog')
    .option('--none', 'end its plan')
    .option(...JSON_OPTION)
    .action(async (tenantId: string, plan: string | undefined, { json = false, none = false }) => {
      if (none === (plan !== undefined)) throw new CommandError('give either a plan or --none');
      printFields(await operate((operator) => changePlan(operator, tenantId, plan ?? null)), json);
    });
  tenants
    .command('owner <tenant_id> <user_id>')
    .description('make an active user an owner, beside the present owners (event user.role_changed)')
    .option(...JSON_OPTION)
    .action(async (tenantId: string, userId: string, { json = false }) => {
      printFields(await operate((operator) => addOwner(operator, tenantId, userId)), json);
    });
  tenants
    .command('end-sessions <tenant_id>')
    .description('end the console sessions of all users of a tenant')
    .option('--user <user_id>', 'only those of this user')
    .option(...JSON_OPTION)
    .action(async (tenantId: string, { json = false, user }) => {
      printFields(await operate((operator) => endSessions(operator, tenantId, user)), json);
    });
}
