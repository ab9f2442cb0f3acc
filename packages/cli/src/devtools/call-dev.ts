import type { HttpMethod } from '@plat/sdk';
import { clientOf, NO_CREDENTIAL } from '../command/connect.ts';
import type { CommandContext } from '../command/context.ts';
import { findServer } from '../connection/connection.ts';
import { readCredentials } from '../connection/credentials-file.ts';
import { HOW_TO_START } from '../connection/sandbox-file.ts';
import { CliError } from '../errors/cli-error.ts';
import type { JsonObject } from '../terminal/value.ts';

/** Time in ms that the response may take beyond the time limit of the work. */
const RESPONSE_MARGIN_MS = 30_000;

interface DevCall {
  readonly body?: JsonObject;
  readonly query?: Readonly<Record<string, string>>;
  /** Time limit of the server for the work, in ms. */
  readonly timeoutMs?: number | undefined;
  /** True for a request for one object, which may not exist (404). */
  readonly isForOneObject?: boolean;
}

/**
 * Calls a server in development mode. It does not retry, since moving the clock is not idempotent.
 * @throws {@link CliError} `NO_DEV_TOOLS` for a server without development tools for this machine
 */
export async function callDev(
  context: CommandContext,
  method: HttpMethod,
  path: string,
  { body, query, timeoutMs = 30_000, isForOneObject = false }: DevCall = {},
): Promise<unknown> {
  const { io, flags, trace } = context;
  const { url, sandbox } = await findServer(io, flags, await readCredentials(io));
  const from = { baseUrl: url.value, baseUrlFrom: url.from };
  trace.connection = { ...from, kind: 'api_key', credential: NO_CREDENTIAL, credentialFrom: '-', sandbox, note: null };
  const client = await clientOf(context, { baseUrl: url.value, credential: NO_CREDENTIAL });
  const { ApiError } = await import('@plat/sdk');
  try {
    const options = { ...(body && { body }), ...(query && { query }) };
    return await client
      .withOptions({ maxRetries: 0, timeout: timeoutMs + RESPONSE_MARGIN_MS })
      .request(method, path, options);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND' || isForOneObject) throw error;
    throw new CliError('NO_DEV_TOOLS', `The server at ${url.value} (${url.from}) cannot be commanded from here`, {
      hint: 'Only one in the development mode can, and only from its own machine, under localhost or 127.0.0.1.',
      next: `Start one: ${HOW_TO_START}`,
    });
  } finally {
    client.close();
  }
}
