import { Command } from 'commander';
import type { ContextOf } from '../command/described-command.ts';
import { readInteger } from '../command/input.ts';
import { addReceiverTestOptions } from '../command/receiver-test-options.ts';
import { readUnixTime } from '../command/unix-time.ts';
import { type LaunchTestOptions, TEST_ISSUER } from './launch-test.ts';

/** Creates the commands beside `plat launch mint`: decode and verify a token, test a receiver. */
export function launchCommands(contextOf: ContextOf): readonly Command[] {
  return [decodeCommand(contextOf), verifyCommand(contextOf), testCommand(contextOf)];
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
      readInteger('--leeway', given, 'seconds'),
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

function testCommand(contextOf: ContextOf): Command {
  const command = addReceiverTestOptions(
    new Command('test')
      .summary('Test a receiver of launch tokens, and name what it does wrong')
      .description(
        'Post valid and invalid launch tokens to a receiver in any language, and name what it does wrong. The test is the issuer of the tokens and publishes its keys: configure the receiver with it.',
      )
      .requiredOption('--to <url>', 'URL of the receiver (required)')
      .requiredOption('--audience <text>', 'audience that the receiver expects (required)')
      .option('--issuer <url>', `issuer that the receiver trusts, on this machine; ${TEST_ISSUER} when absent`)
      .option('--entitlement <capability>', 'capability that the receiver requires: 403 without it')
      .option('--once', 'the receiver accepts each token once')
      .option('--claims <json>', 'claims of the tokens, for example a tenant that the receiver has stored'),
  ).addHelpText('after', TEST_EXAMPLES);
  return command.action(async () => {
    const { runTest } = await import('./run-test.ts');
    await runTest(contextOf(command), command.opts<LaunchTestOptions>());
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

const TEST_EXAMPLES = `
Ends with 0 when no case failed and with 11 when one did. No platform is called, and no key is needed.

Examples:
  PLAT_ISSUER=${TEST_ISSUER} npm start                       # your receiver, in another terminal
  plat launch test --to http://localhost:4020/launch --audience analytics --entitlement analytics:read
  plat launch test --to http://localhost:4020/launch --audience analytics --report junit > launch.xml`;
