import type { HttpMethod } from '@plat/sdk';
import { clientOf } from '../command/connect.ts';
import type { CommandContext } from '../command/context.ts';
import { findServer } from '../connection/connection.ts';
import { readCredentials } from '../connection/credentials-file.ts';
import { HOW_TO_START } from '../connection/sandbox-file.ts';
import { CliError } from '../errors/cli-error.ts';
import type { JsonObject } from '../terminal/value.ts';

/** What is below `/_dev` takes no key, and none is sent there. */
const NO_KEY = 'none';
/** How long the answer may take beyond the time that the work may take, in ms. */
const BEYOND_MS = 30_000;

interface DevCall {
  readonly body?: JsonObject;
  readonly query?: Readonly<Record<string, string>>;
  /** How long the server may work on it, in ms. */
  readonly timeoutMs?: number | undefined;
  /** Whether it is for one thing that may be gone. */
  readonly isOfOne?: boolean;
}

/**
 * Commands a server of the development mode: once, as to move its clock twice is not the same.
 * @throws {@link CliError} `NO_DEV_TOOLS` for a server that cannot be commanded from here
 */
export async function callDev(
  context: CommandContext,
  method: HttpMethod,
  path: string,
  { body, query, timeoutMs = 30_000, isOfOne = false }: DevCall = {},
): Promise<unknown> {
  const { io, flags, trace } = context;
  const { url, sandbox } = await findServer(io, flags, await readCredentials(io));
  const from = { baseUrl: url.value, baseUrlFrom: url.from };
  trace.connection = { ...from, kind: 'api_key', credential: NO_KEY, credentialFrom: '-', sandbox, note: null };
  const client = await clientOf(context, { baseUrl: url.value, credential: NO_KEY });
  const { ApiError } = await import('@plat/sdk');
  try {
    const options = { ...(body && { body }), ...(query && { query }) };
    return await client.withOptions({ maxRetries: 0, timeout: timeoutMs + BEYOND_MS }).request(method, path, options);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND' || isOfOne) throw error;
    throw new CliError('NO_DEV_TOOLS', `The server at ${url.value} (${url.from}) cannot be commanded from here`, {
      hint: 'Only one in the development mode can, and only from its own machine, under localhost or 127.0.0.1.',
      next: `Start one: ${HOW_TO_START}`,
    });
  } finally {
    client.close();
  }
}
