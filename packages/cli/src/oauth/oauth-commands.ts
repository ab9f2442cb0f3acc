import { Command } from 'commander';
import type { ContextOf } from '../command/described-command.ts';
import { readInteger } from '../command/input.ts';
import { type AppOptions, addAppOptions } from './app-options.ts';
import type { OAuthTry } from './run-try.ts';

/** The port of `plat oauth try`, which is part of the redirect URI that an app registers. */
const DEFAULT_PORT = 8976;

/** Creates the commands of `plat oauth`, for developers of apps. */
export function oauthCommands(contextOf: ContextOf): readonly Command[] {
  return [tryCommand(contextOf), introspectCommand(contextOf)];
}

function tryCommand(contextOf: ContextOf): Command {
  const command = addAppOptions(
    new Command('try')
      .summary('Run the authorization of an app, step by step')
      .description(
        'Run the authorization of an app, step by step: consent in a browser, code with PKCE, tokens, a refresh,\nand GET /v1/me as proof. At the end the tokens are revoked, which ends the consent.\nAn existing grant of the app in this tenant is replaced: use a tenant that the app is not connected to.',
      ),
  )
    .option('--scope <scope,…>', 'scopes to request; me:read when absent', readScopes)
    .option('--port <n>', `port on 127.0.0.1; ${DEFAULT_PORT} when absent`, (given) => readInteger('--port', given))
    .option('--issuer <url>', 'issuer of the service (iss); the base URL when absent')
    .option('--no-browser', 'do not open the page, only print its address')
    .option('--keep', 'keep the consent')
    .addHelpText('after', TRY_HELP);
  return command.action(async () => {
    const { runTry } = await import('./run-try.ts');
    const options = command.opts<AppOptions & Pick<OAuthTry, 'browser'> & Partial<OAuthTry>>();
    await runTry(contextOf(command), { scope: ['me:read'], port: DEFAULT_PORT, keep: false, ...options });
  });
}

function introspectCommand(contextOf: ContextOf): Command {
  const command = addAppOptions(
    new Command('introspect')
      .summary('Show whether an access token of an app is active, and its scopes')
      .description('Introspect an access token of an app: the service returns its current state.')
      .argument('[file]', 'file with the token; - or nothing for stdin'),
  ).addHelpText('after', INTROSPECT_HELP);
  return command.action(async (file = '-') => {
    const { runIntrospect } = await import('./run-introspect.ts');
    await runIntrospect(contextOf(command), file, command.opts<AppOptions & object>());
  });
}

function readScopes(given: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...given.split(/[\s,]+/).filter((scope) => scope !== '')];
}

const TRY_HELP = `
The app needs the redirect URI http://127.0.0.1:${DEFAULT_PORT}/callback (or with your --port), byte for byte. Who consents is an
owner of the tenant, in a browser, within 5 minutes. Tokens and secrets are never shown.
With --json it prints two lines: the address to open, and the result. It ends with 11 when a step fails.

Examples:
  plat apps update app_… --redirect-uris http://127.0.0.1:${DEFAULT_PORT}/callback
  plat oauth try --app-id app_… --app-secret-file secret.txt --scope clients:read,me:read`;

const INTROSPECT_HELP = `
A token that is unknown, expired, revoked or of another app is inactive, which is an answer and no failure.

Examples:
  plat oauth introspect token.txt --app-id app_… --app-secret-file secret.txt`;
