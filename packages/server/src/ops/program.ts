import { createRequire } from 'node:module';
import { isScope, type Scope } from '@plat/contract';
import { Command, InvalidArgumentError, Option } from 'commander';
import { decideReview, isVerification, listAllApps, removeApp, setAppState } from './commands/apps.ts';
import { applyCatalogFile, showCatalog } from './commands/catalog.ts';
import { createDeveloperAccount, listDevelopers, resetDeveloperSandbox } from './commands/developers.ts';
import { findDomain, releaseDomain } from './commands/domains.ts';
import { keepHouse } from './commands/housekeeping.ts';
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

/** `plat-server` with its commands: the server, and what platform administrators do on its host. */
export function operatorProgram({ serve, work, operate }: Program): Command {
  const program = new Command('plat-server')
    .description('The platform API: the server, and what its operator does.')
    .version(version)
    .exitOverride()
    .allowExcessArguments(false)
    .showHelpAfterError('See plat-server --help.')
    .addHelpText('after', '\nSettings are environment variables: see docs/operating.md.');
  program
    .command('serve', { isDefault: true })
    .description('run the server (the default)')
    .option('--no-dispatch', 'leave deliveries and mail to workers, as with PLAT_DISPATCH=false')
    .option('--deterministic <seed>', 'in development, the same ids, secrets and log in each run: PLAT_DETERMINISTIC')
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
    .description('send deliveries and mail, and remove old rows; no API. Any number, beside any number of servers')
    .option(
      '--health-port <port>',
      'answer /livez and /readyz there, as with PLAT_WORKER_PORT; 0: any free port',
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
    .description('remove old rows now, as the server does every hour')
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => printFields(await operate(keepHouse), json));
  return program;
}

function addTenants(program: Command, operate: Program['operate']): void {
  const tenants = program.command('tenants').description('production tenants: create, list, suspend, reactivate');
  tenants
    .command('create')
    .description('make a tenant with its owner and its API key, which is shown this once')
    .requiredOption('--name <name>', 'name of the tenant')
    .requiredOption('--owner-email <address>', 'e-mail address of its owner')
    .option('--owner-name <name>', 'name of its owner')
    .option('--plan <slug>', 'plan of the catalog')
    .option(...JSON_OPTION)
    .action(async ({ json = false, ...options }) => {
      printFields(await operate((operator) => createProductionTenant(operator, options)), json);
    });
  addPaging(tenants.command('list').description('list tenants, newest first, sandboxes included'))
    .option('--status <status>', 'only tenants of this status: active, suspended', (given) => {
      if (isTenantStatus(given)) return given;
      throw new InvalidArgumentError('must be active or suspended.');
    })
    .action(async ({ json = false, ...options }) => {
      printRows(await operate((operator) => listTenants(operator, options)), json);
    });
  addQuotas(tenants, operate);
  for (const [verb, status, description] of [
    ['suspend', 'suspended', 'freeze the access of a tenant (event tenant.suspended)'],
    ['reactivate', 'active', 'give a suspended tenant its access back (event tenant.reactivated)'],
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
    .description('show the quotas of a tenant, and what is used of them; with --set, give it others')
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
    .description("replace a tenant's API key; the new one is shown this once, the old one stops working at once")
    .option('--scopes <scopes>', 'separated by commas; all when absent', readScopes)
    .option(...JSON_OPTION)
    .action(async (tenantId: string, { json = false, scopes }) => {
      printFields(await operate((operator) => mintTenantKey(operator, tenantId, scopes)), json);
    });
  keys
    .command('mint-vendor')
    .description('make a legacy key without a tenant, which /v1 refuses')
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => printFields(await operate(mintLegacyKey), json));
}

function addDevelopers(program: Command, operate: Program['operate']): void {
  const developers = program.command('developers').description('developer accounts and their sandboxes');
  developers
    .command('create')
    .description('make a developer account with its seeded sandbox, whose API key is shown this once')
    .requiredOption('--email <address>', 'e-mail address of the developer')
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
    .description('take a sandbox back to its seeded content; all else in it is lost')
    .option('-y, --yes', 'do it; without, nothing is done')
    .option(...JSON_OPTION)
    .action(async (tenantId: string, { json = false, yes = false }) => {
      if (!yes) throw new CommandError('all that the sandbox holds beside its seeded content is lost: say --yes');
      printFields(await operate((operator) => resetDeveloperSandbox(operator, tenantId)), json);
    });
}

function addApps(program: Command, operate: Program['operate']): void {
  const apps = program.command('apps').description('OAuth apps of developers, and their review');
  addPaging(apps.command('list').description('list apps, newest first'))
    .option('--verification <status>', 'only apps that stand so: unverified, pending, verified, rejected', (given) => {
      if (isVerification(given)) return given;
      throw new InvalidArgumentError('must be unverified, pending, verified or rejected.');
    })
    .action(async ({ json = false, ...options }) => {
      printRows(await operate((operator) => listAllApps(operator, options)), json);
    });
  for (const [verb, verification, description] of [
    ['verify', 'verified', 'let an app ask every tenant for its consent'],
    ['reject', 'rejected', 'keep an app to sandboxes; what it does for other tenants stops at once'],
  ] as const) {
    apps
      .command(`${verb} <app_id>`)
      .description(description)
      .option('--reason <text>', 'what its developer is told')
      .option(...JSON_OPTION)
      .action(async (appId: string, { json = false, reason }) => {
        printFields(await operate((operator) => decideReview(operator, appId, verification, reason)), json);
      });
  }
  for (const [verb, state, description] of [
    ['disable', 'disabled', 'end all consents to an app; its developer cannot enable it'],
    ['enable', 'enabled', 'let a disabled app work again; tenants have to consent again'],
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
    .description('end all consents to an app, and remove it from the account of its developer')
    .option('-y, --yes', 'do it; without, nothing is done')
    .option(...JSON_OPTION)
    .action(async (appId: string, { json = false, yes = false }) => {
      if (!yes) throw new CommandError('the app is lost with its secret and all consents to it: say --yes');
      printFields(await operate((operator) => removeApp(operator, appId)), json);
    });
}

function addCatalog(program: Command, operate: Program['operate']): void {
  const catalog = program.command('catalog').description('modules and plans, the same for every tenant');
  catalog
    .command('apply <file>')
    .description('create and change modules and plans as a JSON file says: {"modules": […], "plans": […]}')
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
    .description("print a launch token: what a user's browser posts to a module; the audit trail of the tenant says so")
    .requiredOption('--tenant <tenant_id>', 'tenant')
    .requiredOption('--client <client_id>', 'client that the user goes into')
    .requiredOption('--user <user_id>', 'active user')
    .requiredOption('--module <slug>', 'module of the catalog')
    .option('--group <group_id>', 'group that is selected')
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
    .description("limit what launch tokens say that a client has of its tenant's capabilities")
    .option('--capabilities <ids>', 'what it has at most, separated by commas; "" for nothing', readList)
    .option('--all', 'lift the limit')
    .option(...JSON_OPTION)
    .action(async (tenantId: string, clientId: string, { json = false, all = false, capabilities }) => {
      if (all === (capabilities !== undefined)) throw new CommandError('say either --capabilities or --all');
      const limit = all ? null : capabilities;
      printFields(await operate((operator) => limitClientOf(operator, tenantId, clientId, limit)), json);
    });
}

function addDomains(program: Command, operate: Program['operate']): void {
  const domains = program.command('domains').description('domains of clients; who owns a domain is not verified');
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
    .description('list the keys with what is due')
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => printRows(await operate(listKeys), json));
  keys
    .command('rotate')
    .description('make the next key; or, an hour later, let it sign in place of the current one')
    .option('--force', 'let it sign at once, before all receivers know it')
    .option(...JSON_OPTION)
    .action(async ({ json = false, force = false }) => {
      printFields(await operate((operator) => rotateKeys(operator, force)), json);
    });
  keys
    .command('retire <kid>')
    .description('take a key out of the key set, when all that it signed has expired')
    .option('--force', 'at once, for a key that somebody else may have: what it signed is refused from then on')
    .option(...JSON_OPTION)
    .action(async (kid: string, { json = false, force = false }) => {
      printFields(await operate((operator) => retireKey(operator, kid, force)), json);
    });
}

function addSecrets(program: Command, operate: Program['operate']): void {
  const secrets = program
    .command('secrets')
    .description('what is encrypted under PLAT_MASTER_KEY, and its replacement');
  const conclude = (report: SecretsReport, json: boolean): void => {
    printSecrets(report, json);
    if (needsAttention(report)) process.exitCode = 1;
  };
  secrets
    .command('status')
    .description(
      'count what is encrypted under the first master key, and what is not; exit code 1 while anything is not',
    )
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => conclude(await operate(secretsStatus), json));
  secrets
    .command('reencrypt')
    .description('encrypt under the first master key what another one encrypted; may be cut off, and run again')
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
