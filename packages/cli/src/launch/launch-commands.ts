import { Command } from 'commander';
import type { ContextOf } from '../command/described-command.ts';
import { readInteger } from '../command/input.ts';
import { readUnixTime } from '../command/unix-time.ts';

/** Creates the commands beside `plat launch mint`: decode and verify a token. */
export function launchCommands(contextOf: ContextOf): readonly Command[] {
  return [decodeCommand(contextOf), verifyCommand(contextOf)];
}

function decodeCommand(contextOf: ContextOf): Command {
  const command = new Command('decode')
    .summary('Decode a launch token without verifying it')
    .description('Show header and claims of a launch token. Nothing is verified, and nothing is sent.')
    .argument('[file]', 'file with the token; - or nothing for stdin')
    .addHelpText('after', DECODE_EXAMPLES);
  return command.action(async (file = '-') => {
    const { runDecode } = await import('./run-decode.ts');
    await runDecode(contextOf(command), file);
  });
}

function verifyCommand(contextOf: ContextOf): Command {
  const command = new Command('verify')
    .summary('Verify a launch token for a module, and show why it is invalid')
    .description(
      'Verify signature, audience and time of a launch token, as a module does with @plat/launch-token,\nand show why it is invalid. It fetches the published keys, without a credential.',
    )
    .argument('[file]', 'file with the token; - or nothing for stdin')
    .requiredOption('--audience <text>', 'audience that the module is registered with (required)')
    .option('--issuer <url>', 'issuer of the platform; the base URL when absent')
    .option('--jwks-uri <url>', 'URL of the keys; <issuer>/.well-known/jwks.json when absent')
    .option('--leeway <seconds>', 'accepted clock difference; 30 when absent, 300 at most', (given) =>
      readInteger('--leeway', given),
    )
    .option('--entitlement <capability>', 'capability that the token must contain')
    .option('--at <time>', 'when it arrived, ISO 8601 or Unix seconds; now when absent', (given) =>
      readUnixTime('--at', given),
    )
    .addHelpText('after', VERIFY_EXAMPLES);
  return command.action(async (file = '-') => {
    const { runVerify } = await import('./run-verify.ts');
    await runVerify(contextOf(command), { file, ...command.opts<{ audience: string }>() });
  });
}

const DECODE_EXAMPLES = `
Examples:
  plat launch mint --module analytics | plat launch decode`;

const VERIFY_EXAMPLES = `
Ends with 0 when the token is valid and with 11 when it is not.

Examples:
  plat launch mint --module analytics | plat launch verify --audience analytics
  plat launch verify token.txt --audience analytics --entitlement analytics:read`;
