import type { CommandContext } from '../command/context.ts';
import { findServer } from '../connection/connection.ts';
import { readCredentials } from '../connection/credentials-file.ts';
import type { AppOptions } from './app-options.ts';

/** Returns the base URL of the selected server, and stores it for error reports. */
export async function connectApp(
  { io, flags, trace }: CommandContext,
  { appSecretFile }: AppOptions,
  credential: string,
): Promise<string> {
  const { url, sandbox } = await findServer(io, flags, await readCredentials(io));
  trace.connection = {
    baseUrl: url.value,
    baseUrlFrom: url.from,
    kind: 'api_key',
    credential,
    credentialFrom: appSecretFile === undefined ? 'PLAT_APP_SECRET' : '--app-secret-file',
    sandbox,
    note: null,
  };
  return url.value;
}
