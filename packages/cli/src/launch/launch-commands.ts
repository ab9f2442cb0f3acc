import { Command } from 'commander';
import type { ContextOf } from '../command/described-command.ts';
import { readInteger } from '../command/input.ts';
import { readMoment } from '../command/moment.ts';

/** Creates the commands beside `plat launch mint`: decode and verify a token. */
export function launchCommands(contextOf: ContextOf): readonly Command[] {
  return [decodeCommand(contextOf), verifyCommand(contextOf)];
}

function decodeCommand(contextOf: ContextOf): Command {
  const command = new Command('decode')
    .summary('Show what a launch token says, without verifying it')
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
    .summary('Say whether a launch token is valid for a module, and if not, why')
    .description(
      'Say whether a launch token is authentic, for this audience and in time, as a module does with\n@plat/launch-token, and if not, why. It fetches the published keys, with no credential.',
    )
    .argument('[file]', 'file with the token; - or nothing for stdin')
    .requiredOption('--audience <text>', 'audience that the module is registered with (required)')
    .option('--issuer <url>', 'issuer of the platform; the base URL when absent')
    .option('--jwks-uri <url>', 'where the keys are; <issuer>/.well-known/jwks.json when absent')
    .option('--leeway <seconds>', 'how far the two clocks may be apart; 30 when absent, 300 at most', (given) =>
      readInteger('--leeway', given),
    )
    .option('--entitlement <capability>', 'capability that the token has to have')
    .option('--at <time>', 'when it arrived, ISO 8601 or Unix seconds; now when absent', (given) =>
      readMoment('--at', given),
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
