import type { Platform } from '@plat/sdk';
import { CliError } from '../cli-error.ts';
import { type CommandContext, note } from '../context.ts';
import { safeMessage } from '../output/printable.ts';
import { version } from '../version.ts';
import { type Connection, findConnection } from './connection.ts';

/**
 * A client for the server that is meant.
 * @throws {@link CliError} `LIVE_KEY_NEEDS_FLAG` for a change with a production key and without `--live`
 */
export async function connect(context: CommandContext, request: { readonly changes: boolean }): Promise<Platform> {
  const { io, flags } = context;
  const connection = await findConnection(io, flags);
  context.trace.connection = connection;
  if (request.changes && !flags.live) refuseLiveKey(connection, context.command);
  if (connection.note !== null) await note(context, connection.note);
  // Loaded here: help and refusals do without.
  const sdk = await import('@plat/sdk');
  return new sdk.Platform({
    baseUrl: connection.baseUrl,
    apiKey: connection.apiKey,
    userAgent: `plat-cli/${version()}`,
    onWarning: ({ message }) => void note(context, `warning: ${safeMessage(message)}`),
  });
}

function refuseLiveKey({ apiKey, apiKeyFrom, baseUrl }: Connection, command: string): void {
  if (!apiKey.startsWith('plat_live_')) return;
  throw new CliError('LIVE_KEY_NEEDS_FLAG', `This would change production data at ${baseUrl}`, {
    hint: `The key from ${apiKeyFrom} is a production key (plat_live_…).`,
    next: `If that is meant, add --live: ${command} … --live`,
  });
}
