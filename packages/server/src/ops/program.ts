import { Command, Option } from 'commander';
import { lazily } from '../kernel/lazily.ts';
import { printFields } from './commands/print.ts';
import { addApps } from './program/apps.ts';
import { addBilling } from './program/billing.ts';
import { addCatalog } from './program/catalog.ts';
import { addDatabase } from './program/database.ts';
import { addDevelopers } from './program/developers.ts';
import { addDomains } from './program/domains.ts';
import { addInspection, type Surroundings } from './program/inspection.ts';
import { addKeys } from './program/keys.ts';
import { addLaunch } from './program/launch.ts';
import { addMails } from './program/mails.ts';
import { addMigrate } from './program/migrate.ts';
import { type Configured, JSON_OPTION, type OnDatabase, type Operate, readPort } from './program/options.ts';
import { refuseRepeats } from './program/refuse-repeats.ts';
import { addSecrets } from './program/secrets.ts';
import { addSigningKeys } from './program/signing-keys.ts';
import { addSupport } from './program/support.ts';
import { addTenantData } from './program/tenant-data.ts';
import { addTenants } from './program/tenants.ts';
import { VERSION } from './version.ts';

const { deleteExpiredRows } = lazily(() => import('./commands/housekeeping.ts'));

export interface ServeOptions {
  /** False: requests only, independent of the environment. */
  readonly dispatch: boolean;
  /** True: runs pending migrations in any case. */
  readonly migrate?: boolean;
  /** True: notifies the parent process over IPC when the server listens, and exits with the parent. */
  readonly announce?: boolean;
  /** Overrides `PLAT_DETERMINISTIC`; unparsed. */
  readonly deterministic?: string;
}

export interface WorkerFlags {
  /** Overrides `PLAT_WORKER_PORT`. */
  readonly healthPort?: number;
  /** True: runs pending migrations in any case. */
  readonly migrate?: boolean;
}

interface Program extends Surroundings {
  serve(options: ServeOptions): Promise<void>;
  work(flags: WorkerFlags): Promise<void>;
  readonly operate: Operate;
  readonly onDatabase: OnDatabase;
  readonly configured: Configured;
}

const MIGRATE_OPTION = [
  '--migrate',
  'run pending migrations first; done without it on SQLite and in development',
] as const;

/** `plat-server` with its commands: the server, and the commands of the operator on its host. */
export function operatorProgram({ serve, work, operate, onDatabase, configured, ...surroundings }: Program): Command {
  const program = new Command('plat-server')
    .description('The platform API: the server and its operator commands.')
    .version(VERSION)
    .exitOverride()
    .allowExcessArguments(false)
    .showHelpAfterError('See plat-server --help.')
    .addHelpText('after', '\nSettings are environment variables: see docs/operating.md.');
  program
    .command('serve', { isDefault: true })
    .description('run the server (the default)')
    .option('--no-dispatch', 'send no deliveries, replays or mail; workers do (PLAT_DISPATCH=false)')
    .option(...MIGRATE_OPTION)
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
    .option(...MIGRATE_OPTION)
    .action(work);
  addInspection(program, surroundings);
  addMigrate(program, onDatabase);
  addTenants(program, operate);
  addTenantData(program, operate);
  addBilling(program, operate);
  addSupport(program, operate);
  addKeys(program, operate);
  addDevelopers(program, operate);
  addApps(program, operate);
  addCatalog(program, operate);
  addLaunch(program, operate);
  addDomains(program, operate);
  addSigningKeys(program, operate);
  addSecrets(program, operate);
  addMails(program, operate);
  addDatabase(program, configured);
  program
    .command('housekeeping')
    .description('delete expired rows now; the server does it every hour')
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => printFields(await operate(deleteExpiredRows), json));
  refuseRepeats(program);
  return program;
}
