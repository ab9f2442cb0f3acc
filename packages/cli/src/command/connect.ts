import type { ClientOptions, Platform } from '@plat/sdk';
import type { DeveloperApi } from '@plat/sdk/developer';
import { type Connection, findConnection, findLogin } from '../connection/connection.ts';
import { CliError } from '../errors/cli-error.ts';
import { repeatCommand } from './command-line.ts';
import { type CommandContext, note } from './context.ts';
import { version } from './version.ts';

/** Placeholder for a request that needs no credential: the client requires one, and the endpoint ignores it. */
export const NO_CREDENTIAL = 'none';

interface ConnectOptions extends AgentOptions {
  /** True for a command that changes data: a production key then needs `--live`. */
  readonly changes: boolean;
}

interface AgentOptions {
  /** Additional product token for the `User-Agent` header. */
  readonly userAgent?: string;
}

/**
 * Returns a client for the selected server.
 * @throws {@link CliError} `LIVE_KEY_NEEDS_FLAG` for a change with a production key and without `--live`
 */
export async function connect(context: CommandContext, options: ConnectOptions): Promise<Platform> {
  const { io, flags } = context;
  const connection = await findConnection(io, flags);
  context.trace.connection = connection;
  if (options.changes && !flags.live) refuseLiveKey(context, connection);
  if (connection.note !== null) await note(context, connection.note);
  return clientOf(context, connection, options.userAgent);
}

/** Returns a client for the developer API of the selected server, with its login. */
export async function connectDeveloper(
  context: CommandContext,
  { userAgent }: AgentOptions = {},
): Promise<{ readonly developer: DeveloperApi; readonly connection: Connection }> {
  const connection = await findLogin(context.io, context.flags);
  context.trace.connection = connection;
  return { developer: await developerOf(context, connection, userAgent), connection };
}

// The SDK is loaded lazily: help and usage errors do not need it.

/** Returns a client of the API. */
export async function clientOf(
  context: CommandContext,
  { baseUrl, credential }: Pick<Connection, 'baseUrl' | 'credential'>,
  userAgent?: string,
): Promise<Platform> {
  const sdk = await import('@plat/sdk');
  return new sdk.Platform({ ...clientOptions(context, userAgent), baseUrl, apiKey: credential });
}

/** Returns a client of the developer API. */
export async function developerOf(
  context: CommandContext,
  { baseUrl, credential }: Pick<Connection, 'baseUrl' | 'credential'>,
  userAgent?: string,
): Promise<DeveloperApi> {
  const sdk = await import('@plat/sdk/developer');
  return new sdk.DeveloperApi({ ...clientOptions(context, userAgent), baseUrl, token: credential });
}

/** Returns the options of clients that report long retry delays on stderr. */
function clientOptions(context: CommandContext, userAgent?: string): ClientOptions {
  return {
    userAgent: [`plat-cli/${version()}`, ...(userAgent === undefined ? [] : [userAgent])].join(' '),
    hooks: {
      // Noticeable waits are reported, so that the command does not appear to hang.
      onRetry: ({ delay, error }) =>
        delay < NOTICEABLE_MS
          ? undefined
          : note(context, `${error.code}: trying again in ${Math.ceil(delay / 1000)} s`),
    },
    onWarning: ({ message }) => void note(context, `warning: ${message}`),
  };
}

const NOTICEABLE_MS = 2000;

function refuseLiveKey(context: CommandContext, { credential, credentialFrom, baseUrl }: Connection): void {
  if (!credential.startsWith('plat_live_')) return;
  throw new CliError('LIVE_KEY_NEEDS_FLAG', `This would change production data at ${baseUrl}`, {
    hint: `The key from ${credentialFrom} is a production key (plat_live_…).`,
    next: `To confirm: ${repeatCommand(context, '--live')}`,
  });
}
