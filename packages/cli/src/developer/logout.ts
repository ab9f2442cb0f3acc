import { developerOf } from '../command/connect.ts';
import { type CommandContext, note } from '../command/context.ts';
import { findLogin } from '../connection/connection.ts';
import { type Credentials, changeCredentials, profileOf, withProfile } from '../connection/credentials-file.ts';
import { profileName } from '../connection/named-profile.ts';
import { printResult } from '../output/result.ts';

/** Ends the login: first in the local file, then on the server. */
export async function runLogout(context: CommandContext): Promise<void> {
  const { io, flags, trace } = context;
  const login = await findLogin(io, flags);
  trace.connection = login;
  const knownIn = (credentials: Credentials) => profileOf(credentials, login.baseUrl, profileName(io, flags));
  const { before } = await changeCredentials(io, (now) =>
    withProfile(now, login.baseUrl, { developer: undefined }, knownIn(now)?.name),
  );
  const id = knownIn(before)?.profile.developer?.id ?? '';
  const developer = await developerOf(context, login);
  const sdk = await import('@plat/sdk');
  try {
    await developer.tokens.revoke('current');
  } catch (error) {
    // The login was already ended.
    if (!(error instanceof sdk.ApiError && error.code === 'INVALID_TOKEN')) {
      await note(context, 'The login was removed from this machine, but not ended on the server: see the console.');
      throw error;
    }
  }
  developer.close();
  await printResult(context, { object: 'developer', id, logged_out: true });
}
