import { type CommandContext, print } from '../command/context.ts';
import { findLogin } from '../connection/connection.ts';
import { printResult } from '../output/result.ts';

/**
 * Prints the token of the login alone on its line, or with its server in other formats.
 * @throws {@link CliError} `NOT_LOGGED_IN`, `NO_BASE_URL`
 */
export async function runToken(context: CommandContext): Promise<void> {
  const { io, flags } = context;
  const { baseUrl, credential } = await findLogin(io, flags);
  const isPlain = flags.output === 'table' && flags.fields === undefined;
  if (isPlain) return print(context, `${credential}\n`);
  await printResult(context, { object: 'login', base_url: baseUrl, token: credential });
}
