import { createRequire } from 'node:module';
import { isScope, type Scope } from '@plat/contract';
import { Command, InvalidArgumentError, Option } from 'commander';
import { decideReview, isVerification, listAllApps, removeApp, setAppState } from './commands/apps.ts';
import { applyCatalogFile, showCatalog } from './commands/catalog.ts';
import { createDeveloperAccount, listDevelopers, resetDeveloperSandbox } from './commands/developers.ts';
import { findDomain, releaseDomain } from './commands/domains.ts';
import { deleteExpiredRows } from './commands/housekeeping.ts';
import { launchModule, limitClientOf } from './commands/launch.ts';
import type { Operator } from './commands/operator.ts';
import { CommandError } from './commands/operator.ts';
import { endProgress, printFields, printProgress, printRows, printSecrets } from './commands/print.ts';
import { readQuotaOption, setQuotas, showQuotas } from './commands/quotas.ts';
import { needsAttention, reencryptSecrets, type SecretsReport, secretsStatus } from './commands/secrets.ts';
import { listKeys, retireKey, rotateKeys } from './commands/signing-keys.ts';
import {
  changeTenantStatus,
  createProductionTenant,
  isTenantStatus,
  listTenants,
  mintLegacyKey,
  mintTenantKey,
} from './commands/tenants.ts';

export interface ServeOptions {
  /** False: requests only, independent of the environment. */
  readonly dispatch: boolean;
  /** True: notifies the parent process over IPC when the server listens, and exits with the parent. */
  readonly announce?: boolean;
  /** Overrides `PLAT_DETERMINISTIC`; unparsed. */
  readonly deterministic?: string;
}

interface Program {
  serve(options: ServeOptions): Promise<void>;
  /** `healthPort` overrides `PLAT_WORKER_PORT`. */
  work(options: { readonly healthPort?: number }): Promise<void>;
  /** Runs a command on the configured database. */
  operate<T>(work: (operator: Operator) => Promise<T>): Promise<T>;
}

const JSON_OPTION = ['--json', 'print JSON'] as const;

const { version } = createRequire(import.meta.url)('../../package.json') as { readonly version: string };

/** `plat-server` with its commands: the server, and the commands of the operator on its host. */
export function operatorProgram({ serve, work, operate }: Program): Command {
  const program = new Command('plat-server')
    .description('The platform API: the server and its operator commands.')
    .version(version)
    .exitOverride()
    .allowExcessArguments(false)
    .showHelpAfterError('See plat-server --help.')
    .addHelpText('after', '\nSettings are environment variables: see docs/operating.md.');
  program
    .command('serve', { isDefault: true })
    .description('run the server (the default)')
    .option('--no-dispatch', 'send no deliveries, replays or mail; workers do (PLAT_DISPATCH=false)')
    .option(
      '--deterministic <seed>',
      'in development, generate the same ids, secrets and log in each run (PLAT_DETERMINISTIC)',
    )
    // For `plat dev`, which starts this program; users read the first screen.
    .addOption(new Option('--announce').hideHelp())
    // The default command: it also receives unknown commands with their arguments.
    .allowExcessArguments()
    .allowUnknownOption()
    .action((options: ServeOptions, { args: [word] }: Command) => {
      if (word === undefined) return serve(options);
      return program.error(`error: unknown ${word.startsWith('-') ? 'option' : 'command'} '${word}'`);
    });
  program
    .command('worker')
    .description(
      'send deliveries and mail, run replays and delete expired rows, without the API; run any number beside the servers',
    )
    .option(
      '--health-port <port>',
      'serve /livez and /readyz on this port (PLAT_WORKER_PORT); 0: any free port',
      readPort,
    )
    .action(work);
  addTenants(program, operate);
  addKeys(program, operate);
  addDevelopers(program, operate);
  addApps(program, operate);
  addCatalog(program, operate);
  addLaunch(program, operate);
  addDomains(program, operate);
  addSigningKeys(program, operate);
  addSecrets(program, operate);
  program
    .command('housekeeping')
    .description('delete expired rows now; the server does it every hour')
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => printFields(await operate(deleteExpiredRows), json));
  return program;
}

function addTenants(program: Command, operate: Program['operate']): void {
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

function addQuotas(tenants: Command, operate: Program['operate']): void {
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

function addKeys(program: Command, operate: Program['operate']): void {
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

function addDevelopers(program: Command, operate: Program['operate']): void {
  const developers = program.command('developers').description('developer accounts and their sandboxes');
  developers
    .command('create')
    .description('create a developer account with a seeded sandbox, whose API key is shown once')
    .requiredOption('--email <address>', 'email address of the developer')
    .option(...JSON_OPTION)
    .action(async ({ json = false, email }) => {
      printFields(await operate((operator) => createDeveloperAccount(operator, email)), json);
    });
  addPaging(developers.command('list').description('list developer accounts, newest first')).action(
    async ({ json = false, ...options }) => {
      printRows(await operate((operator) => listDevelopers(operator, options)), json);
    },
  );
  program
    .command('sandbox')
    .description('sandboxes of developers')
    .command('reset <tenant_id>')
    .description('reset a sandbox to its seeded content; all other data in it is deleted')
    .option('-y, --yes', 'confirm; required')
    .option(...JSON_OPTION)
    .action(async (tenantId: string, { json = false, yes = false }) => {
      if (!yes) throw new CommandError('the reset deletes all data except the seeded content; confirm with --yes');
      printFields(await operate((operator) => resetDeveloperSandbox(operator, tenantId)), json);
    });
}

function addApps(program: Command, operate: Program['operate']): void {
  const apps = program.command('apps').description('OAuth apps of developers, and their review');
  addPaging(apps.command('list').description('list apps, newest first'))
    .option(
      '--verification <status>',
      'only apps with this status: unverified, pending, verified, rejected',
      (given) => {
        if (isVerification(given)) return given;
        throw new InvalidArgumentError('must be unverified, pending, verified or rejected.');
      },
    )
    .action(async ({ json = false, ...options }) => {
      printRows(await operate((operator) => listAllApps(operator, options)), json);
    });
  for (const [verb, verification, description] of [
    ['verify', 'verified', 'verify an app: every tenant can consent to it'],
    ['reject', 'rejected', 'reject an app: it works with sandboxes only, and loses access to other tenants at once'],
  ] as const) {
    apps
      .command(`${verb} <app_id>`)
      .description(description)
      .option('--reason <text>', 'note for its developer')
      .option(...JSON_OPTION)
      .action(async (appId: string, { json = false, reason }) => {
        printFields(await operate((operator) => decideReview(operator, appId, verification, reason)), json);
      });
  }
  for (const [verb, state, description] of [
    ['disable', 'disabled', 'disable an app and end all consents to it; its developer cannot enable it'],
    ['enable', 'enabled', 'enable a disabled app; tenants must consent again'],
  ] as const) {
    apps
      .command(`${verb} <app_id>`)
      .description(description)
      .option(...JSON_OPTION)
      .action(async (appId: string, { json = false }) => {
        printFields(await operate((operator) => setAppState(operator, appId, state)), json);
      });
  }
  apps
    .command('delete <app_id>')
    .description('delete an app of a developer and end all consents to it')
    .option('-y, --yes', 'confirm; required')
    .option(...JSON_OPTION)
    .action(async (appId: string, { json = false, yes = false }) => {
      if (!yes) throw new CommandError('this deletes the app, its secret and all consents to it; confirm with --yes');
      printFields(await operate((operator) => removeApp(operator, appId)), json);
    });
}

function addCatalog(program: Command, operate: Program['operate']): void {
  const catalog = program.command('catalog').description('modules and plans, the same for every tenant');
  catalog
    .command('apply <file>')
    .description('create and update modules and plans from a JSON file: {"modules": […], "plans": […]}')
    .option(...JSON_OPTION)
    .action(async (file: string, { json = false }) => {
      printFields(await operate((operator) => applyCatalogFile(operator, file)), json);
    });
  catalog
    .command('show')
    .description('show modules and plans with their capabilities')
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => printRows(await operate(showCatalog), json));
}

function addLaunch(program: Command, operate: Program['operate']): void {
  program
    .command('launch')
    .description("print a launch token, which a user's browser posts to a module; recorded in the tenant's audit trail")
    .requiredOption('--tenant <tenant_id>', 'tenant')
    .requiredOption('--client <client_id>', 'client of the launch')
    .requiredOption('--user <user_id>', 'active user')
    .requiredOption('--module <slug>', 'module of the catalog')
    .option('--group <group_id>', 'selected group')
    .option(...JSON_OPTION)
    .action(async ({ json = false, ...options }) => {
      const launched = await operate((operator) => launchModule(operator, options));
      if (json) printFields(launched, true);
      else process.stdout.write(`${launched.token}\n`);
    });
  program
    .command('clients')
    .description('clients of tenants')
    .command('limit <tenant_id> <client_id>')
    .description('limit the capabilities of a client in launch tokens')
    .option('--capabilities <ids>', 'allowed capabilities, separated by commas; "" for none', readList)
    .option('--all', 'remove the limit')
    .option(...JSON_OPTION)
    .action(async (tenantId: string, clientId: string, { json = false, all = false, capabilities }) => {
      if (all === (capabilities !== undefined)) throw new CommandError('use either --capabilities or --all');
      const limit = all ? null : capabilities;
      printFields(await operate((operator) => limitClientOf(operator, tenantId, clientId, limit)), json);
    });
}

function addDomains(program: Command, operate: Program['operate']): void {
  const domains = program
    .command('domains')
    .description('domains of clients; the platform does not verify their ownership');
  domains
    .command('find <domain>')
    .description('list the clients that have a domain')
    .option(...JSON_OPTION)
    .action(async (domain: string, { json = false }) => {
      printRows(await operate((operator) => findDomain(operator, domain)), json);
    });
  domains
    .command('release <domain>')
    .description("unset a production client's domain, so that another client can have it (event client.updated)")
    .option('--tenant <tenant_id>', 'release the domain in this tenant, for example a sandbox')
    .option(...JSON_OPTION)
    .action(async (domain: string, { json = false, tenant }) => {
      printFields(await operate((operator) => releaseDomain(operator, domain, tenant)), json);
    });
}

function addSigningKeys(program: Command, operate: Program['operate']): void {
  const keys = program.command('signing-keys').description('the keys that sign launch tokens');
  keys
    .command('list')
    .description('list the keys with their next steps')
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => printRows(await operate(listKeys), json));
  keys
    .command('rotate')
    .description('create the next key; an hour later, make it the current one')
    .option('--force', 'make it the current one at once, before all receivers have it')
    .option(...JSON_OPTION)
    .action(async ({ json = false, force = false }) => {
      printFields(await operate((operator) => rotateKeys(operator, force)), json);
    });
  keys
    .command('retire <kid>')
    .description('remove a key from the key set, when all its tokens have expired')
    .option('--force', 'remove a compromised key at once: its tokens are refused from then on')
    .option(...JSON_OPTION)
    .action(async (kid: string, { json = false, force = false }) => {
      printFields(await operate((operator) => retireKey(operator, kid, force)), json);
    });
}

function addSecrets(program: Command, operate: Program['operate']): void {
  const secrets = program
    .command('secrets')
    .description('values encrypted with PLAT_MASTER_KEY, and the replacement of the key');
  const conclude = (report: SecretsReport, json: boolean): void => {
    printSecrets(report, json);
    if (needsAttention(report)) process.exitCode = 1;
  };
  secrets
    .command('status')
    .description(
      'count the values encrypted with the first master key and with others; exit code 1 if there are others',
    )
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => conclude(await operate(secretsStatus), json));
  secrets
    .command('reencrypt')
    .description('encrypt all values with the first master key; can be aborted and run again')
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => {
      const report = await operate((operator) => reencryptSecrets(operator, printProgress));
      endProgress();
      conclude(report, json);
    });
}

function addPaging(command: Command): Command {
  return command
    .option('--limit <n>', 'how many', readLimit, 100)
    .option('--starting-after <id>', 'the page behind this id')
    .option(...JSON_OPTION);
}

function readLimit(given: string): number {
  const limit = Number(given);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 10_000) return limit;
  throw new InvalidArgumentError('must be a whole number from 1 to 10000.');
}

function readPort(given: string): number {
  const port = Number(given);
  if (/^\d+$/.test(given) && port <= 65_535) return port;
  throw new InvalidArgumentError('must be a port, 0 to 65535.');
}

function readList(given: string): readonly string[] {
  return given
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function readScopes(given: string): readonly Scope[] {
  return given.split(',').map((scope) => {
    if (isScope(scope)) return scope;
    throw new InvalidArgumentError(`${scope} is no scope.`);
  });
}
