import type { ApiKeyWithSecret } from '@plat/contract';
import { connectDeveloper } from '../connection/connect.ts';
import type { Connection } from '../connection/connection.ts';
import { changeCredentials, profileOf, withProfile } from '../connection/credentials-file.ts';
import { profileName } from '../connection/named-profile.ts';
import { replaceSandboxKey } from '../connection/sandbox-file.ts';
import { type CommandContext, note } from '../context.ts';
import { printResult } from '../output/result.ts';
import type { JsonObject } from '../output/value.ts';
import { callDeveloper } from './call.ts';

interface Mint {
  readonly input: JsonObject;
  readonly save: boolean;
  readonly idempotencyKey: string | undefined;
}

/** Mints the key of the sandbox. It is printed this once, or kept. */
export async function runMint(context: CommandContext, { input, save, idempotencyKey }: Mint): Promise<void> {
  const { platform, connection } = await connectDeveloper(context);
  const key = await callDeveloper(platform, 'keys.mint', { body: input, idempotencyKey });
  platform.close();
  const { sandbox } = connection;
  // The file of a sandbox on this machine, when it is this one's.
  const file = sandbox?.tenantId === key.tenant_id ? sandbox : null;
  if (!save) {
    await printResult(context, key);
    await note(context, 'The key is shown this once; the one before stopped working.');
    if (file)
      await note(
        context,
        `${file.path} has the one before: the next start of the sandbox mints another; --save would keep this one.`,
      );
    return;
  }
  const savedTo = await keep(context, connection, key).catch(async (error: unknown) => {
    // Nobody can show it again.
    await printResult(context, key);
    throw error;
  });
  const { api_key: _kept, ...shown } = key;
  await printResult(context, { ...shown, saved_to: savedTo });
  if (sandbox && !file) {
    await note(context, `In this folder the key of ${sandbox.path} is used, which is another tenant's.`);
  }
}

/** Where the other commands find it. */
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
