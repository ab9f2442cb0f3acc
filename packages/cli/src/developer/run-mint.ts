import type { ApiKeyWithSecret } from '@plat/contract';
import { connectDeveloper } from '../command/connect.ts';
import { type CommandContext, note } from '../command/context.ts';
import { requireSecretField } from '../command/shown-once.ts';
import type { Connection } from '../connection/connection.ts';
import { changeCredentials, profileOf, withProfile } from '../connection/credentials-file.ts';
import { profileName } from '../connection/named-profile.ts';
import { replaceSandboxKey } from '../connection/sandbox-file.ts';
import { callOperation } from '../operations/call.ts';
import { confirmOperation } from '../operations/confirm-operation.ts';
import { printResult } from '../output/result.ts';
import type { JsonObject } from '../terminal/value.ts';
import { DEVELOPER_OPERATION_NAMES } from './operations.ts';

interface Mint {
  readonly input: JsonObject;
  readonly save: boolean;
  readonly yes: boolean;
  readonly idempotencyKey: string | undefined;
}

/** Mints the API key of the sandbox. It is printed once, or saved. */
export async function runMint(context: CommandContext, { input, save, yes, idempotencyKey }: Mint): Promise<void> {
  if (!save) requireSecretField(context, 'keys.mint');
  const { developer, connection } = await connectDeveloper(context);
  await confirmOperation(context, {
    ...{ operation: 'keys.mint' as const, names: DEVELOPER_OPERATION_NAMES, path: [], yes },
    find: (reader) => callOperation(developer, reader, []),
  });
  const key = await developer.keys.mint(input, { idempotencyKey });
  developer.close();
  const { sandbox } = connection;
  // The local sandbox file, if it belongs to this sandbox.
  const file = sandbox?.tenantId === key.tenant_id ? sandbox : null;
  if (!save) {
    await printResult(context, key);
    await note(context, `The key is shown only this once. ${previousState(key)}`);
    // The old key in the file is invalid now, and the next start of the sandbox would replace the new key.
    if (file) {
      await replaceSandboxKey(file, key.api_key);
      await note(context, `Saved to ${file.path}, which plat and the next start of the sandbox use.`);
    }
    return;
  }
  const savedTo = await keep(context, connection, key).catch(async (error: unknown) => {
    // No other response shows the key, so it is printed regardless of --fields.
    await printResult({ ...context, flags: { ...context.flags, fields: undefined } }, key);
    throw error;
  });
  const { api_key: _kept, ...shown } = key;
  await printResult(context, { ...shown, saved_to: savedTo });
  if (sandbox && !file) {
    await note(context, `In this folder the key of ${sandbox.path} takes precedence, which belongs to another tenant.`);
  }
}

function previousState({ previous_key: previous }: ApiKeyWithSecret): string {
  // Absent from a server that does not know overlaps.
  return previous
    ? `The previous key ${previous.hint} works until ${previous.expires_at}.`
    : 'The previous key no longer works.';
}

/** Saves the key where other commands find it. */
async function keep(
  { io, flags }: CommandContext,
  { baseUrl, sandbox }: Connection,
  { api_key, tenant_id }: ApiKeyWithSecret,
): Promise<string> {
  if (sandbox?.tenantId === tenant_id) {
    await replaceSandboxKey(sandbox, api_key);
    return sandbox.path;
  }
  const { path } = await changeCredentials(io, (now) => {
    const known = profileOf(now, baseUrl, profileName(io, flags));
    return withProfile(now, baseUrl, { api_key }, known?.name);
  });
  return path;
}
