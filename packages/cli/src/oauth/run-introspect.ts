import type { Introspection } from '@plat/contract';
import { memoryStore, OAuth } from '@plat/sdk/oauth';
import { type CommandContext, note } from '../command/context.ts';
import { readTokenFile } from '../files/token-file.ts';
import { printResult } from '../output/result.ts';
import { relativeTime } from '../terminal/relative-time.ts';
import { type AppOptions, readAppSecret } from './app-options.ts';
import { connectApp } from './connect-app.ts';

/** Prints the introspection of an access token. */
export async function runIntrospect(context: CommandContext, file: string, app: AppOptions): Promise<void> {
  const clientSecret = await readAppSecret(context.io, app);
  const token = await readTokenFile(context.io, file);
  const baseUrl = await connectApp(context, app, clientSecret);
  // No grant is made, so the redirect URI does not matter.
  const redirectUri = 'http://127.0.0.1/callback';
  const oauth = new OAuth({ baseUrl, clientId: app.appId, clientSecret, redirectUri, store: memoryStore() });
  const answer = await oauth.introspect(token);
  oauth.close();
  await printResult(context, context.flags.json ? answer : inWords(answer));
  if (!answer.active)
    await note(context, 'The token is unknown, expired, revoked, a refresh token, or belongs to another app.');
}

function inWords(answer: Introspection) {
  if (!answer.active) return answer;
  const { exp, scope, ...known } = answer;
  const expires = `${new Date(exp * 1000).toISOString()} (${relativeTime(exp, Math.floor(Date.now() / 1000))})`;
  return { ...known, scope, expires };
}
