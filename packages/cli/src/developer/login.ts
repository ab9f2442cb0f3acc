import { hostname } from 'node:os';
import { DEVICE_PATHS, type DeviceCodeResponse, type DeviceTokenResponse } from '@plat/contract';
import type { Platform } from '@plat/sdk';
import type { DeveloperApi } from '@plat/sdk/developer';
import { clientOf, developerOf, NO_CREDENTIAL } from '../command/connect.ts';
import { type CommandContext, note, print } from '../command/context.ts';
import { findServer } from '../connection/connection.ts';
import {
  type Credentials,
  changeCredentials,
  profileNamed,
  profileOf,
  readCredentials,
  serverOf,
  withProfile,
} from '../connection/credentials-file.ts';
import { profileName } from '../connection/named-profile.ts';
import type { Sandbox } from '../connection/sandbox-file.ts';
import { CliError } from '../errors/cli-error.ts';
import { jsonLine, printResult } from '../output/result.ts';
import { sleep } from '../terminal/io.ts';
import { openPage } from '../terminal/open-page.ts';

/** Maximum poll interval in seconds while the server does not answer. */
const MAX_POLL_SECONDS = 60;

/** Logs in with a device code that the developer approves on a page (RFC 8628), and saves the login. */
export async function runLogin(context: CommandContext, { browser }: { readonly browser: boolean }): Promise<void> {
  const { io, flags, trace } = context;
  const known = await readCredentials(io);
  const { url, sandbox } = await findServer(io, flags, known);
  requireSameServer(known, profileName(io, flags), url.value);
  const from = { baseUrl: url.value, baseUrlFrom: url.from };
  trace.connection = { ...from, kind: 'login', credential: NO_CREDENTIAL, credentialFrom: '-', sandbox, note: null };
  const visitor = await clientOf(context, { baseUrl: url.value, credential: NO_CREDENTIAL });
  const asked = await visitor.request<DeviceCodeResponse>('POST', DEVICE_PATHS.code, {
    body: { client_name: `plat on ${hostname()}`.slice(0, 100) },
  });
  await tellHow(context, asked, sandbox);
  if (browser && openPage(io, asked.verification_uri_complete)) await note(context, 'Opened in your browser.');
  const { access_token: token } = await waitForApproval(context, visitor, asked);

  const developer = await developerOf(context, { baseUrl: url.value, credential: token });
  const me = await developer.me.get();
  const { id, email, tenant_id } = me;
  const nameIn = (kept: Credentials) => profileName(io, flags) ?? profileOf(kept, url.value)?.name ?? null;
  const { path, before } = await changeCredentials(io, (now) =>
    withProfile(now, url.value, { developer: { token, id, email, tenant_id } }, nameIn(now)),
  ).catch(async (error: unknown) => {
    // A login that cannot be saved is ended.
    await endLogin(developer);
    throw error;
  });
  const replaced = profileNamed(before, nameIn(before) ?? '')?.profile.developer;
  if (replaced) await endLogin(await developerOf(context, { baseUrl: url.value, credential: replaced.token }));
  if (flags.json) await print(context, `${jsonLine(me)}\n`);
  else await printResult(context, me);
  await note(context, `Logged in; saved in ${path}. To get a key for the sandbox: plat keys mint --save`);
  for (const client of [visitor, developer]) client.close();
}

/** A profile belongs to one server, to which its key is sent. */
function requireSameServer(credentials: Credentials, name: string | null, baseUrl: string): void {
  const own = name === null ? undefined : profileNamed(credentials, name)?.profile.base_url;
  if (own === undefined || serverOf(own) === serverOf(baseUrl)) return;
  throw new CliError('USAGE', `The profile ${name} belongs to ${own}, not to ${baseUrl}`, {
    next: 'Pass another name with --profile, or remove the profile: plat profile remove',
  });
}

/** Ends an unused login. If that fails, the login expires. */
async function endLogin(developer: DeveloperApi): Promise<void> {
  await developer.tokens.revoke('current').catch(() => undefined);
}

async function tellHow(
  context: CommandContext,
  { user_code, verification_uri, verification_uri_complete, expires_in }: DeviceCodeResponse,
  sandbox: Sandbox | null,
): Promise<void> {
  if (context.flags.json) {
    const line = { object: 'device_login', user_code, verification_uri, verification_uri_complete, expires_in };
    return print(context, `${jsonLine(line)}\n`);
  }
  const lines = [
    `Open this page and approve the login if it shows the code ${user_code}:`,
    '',
    `    ${verification_uri_complete}`,
    '',
    ...(sandbox ? signInHelp(sandbox) : []),
    `Waiting for your approval, ${Math.round(expires_in / 60)} minutes at most.`,
  ];
  for (const line of lines) await note(context, line);
}

/** A local sandbox sends no mail, and already has its developer. */
function signInHelp({ baseUrl, developerEmail }: Sandbox): readonly string[] {
  return [
    ...(developerEmail
      ? [`To use the sandbox of this folder, sign in as ${developerEmail}. Another address has another sandbox.`]
      : []),
    `The mail with the sign-in link is at ${baseUrl}/_dev/mail.`,
    '',
  ];
}

async function waitForApproval(
  { io }: CommandContext,
  visitor: Platform,
  { device_code, interval, expires_in }: DeviceCodeResponse,
): Promise<DeviceTokenResponse> {
  const sdk = await import('@plat/sdk');
  let pause = interval;
  for (let waited = 0; ; ) {
    await sleep(io, pause * 1000);
    waited += pause;
    try {
      // Never retried: the second of two successful exchanges would end the first login.
      return await visitor.request('POST', DEVICE_PATHS.token, { body: { device_code }, maxRetries: 0 });
    } catch (error) {
      if (waited >= expires_in || !(error instanceof sdk.PlatformError)) throw error;
      if (error.code === 'AUTHORIZATION_PENDING') continue;
      if (error.code === 'SLOW_DOWN') pause += 5;
      else if (error.retryable) pause = Math.min(pause * 2, MAX_POLL_SECONDS);
      else throw error;
    }
  }
}
