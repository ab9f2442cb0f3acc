import { LIMITS } from '@plat/contract';
import { Command } from 'commander';
import type { ContextOf } from '../command/described-command.ts';
import { readInteger } from '../command/input.ts';
import { addReceiverTestOptions } from '../command/receiver-test-options.ts';
import { addTimeoutOption } from '../command/timeout-option.ts';
import { readUnixTime } from '../command/unix-time.ts';
import { CliError } from '../errors/cli-error.ts';
import { addSecretOptions } from './secret-options.ts';

/** Creates the commands of `plat webhooks` that are not operations: they need no server and no key. */
export function webhookCommands(contextOf: ContextOf): readonly Command[] {
  return [verifyCommand(contextOf), signCommand(contextOf), sendCommand(contextOf), testCommand(contextOf)];
}

function verifyCommand(contextOf: ContextOf): Command {
  const command = addSecretOptions(
    new Command('verify')
      .summary('Verify a delivery, and show why it is invalid')
      .description('Verify the signature and the age of a delivery, and show why it is invalid. Nothing is sent.')
      .argument('[file]', 'the body as it arrived, byte for byte; - or nothing for stdin')
      .option('--signature <value>', 'the value of X-Platform-Signature')
      .option('--headers-file <file>', 'or all headers: lines of a request, or a JSON object'),
  )
    .option(
      '--tolerance <seconds>',
      `accepted age, or time ahead; ${LIMITS.webhook.toleranceSeconds} when absent`,
      readTolerance,
    )
    .option('--tenant <id>', 'tenant of the secrets: events of other tenants are refused')
    .option('--at <time>', 'when it arrived, ISO 8601 or Unix seconds; now when absent', (given) =>
      readUnixTime('--at', given),
    )
    .addHelpText('after', VERIFY_EXAMPLES);
  return command.action(async (file = '-') => {
    const { runVerify } = await import('./run-verify.ts');
    await runVerify(contextOf(command), command, file);
  });
}

function readTolerance(given: string): number {
  const { maxToleranceSeconds } = LIMITS.webhook;
  const seconds = readInteger('--tolerance', given, 'seconds');
  if (seconds <= maxToleranceSeconds) return seconds;
  throw new CliError('USAGE', `--tolerance takes seconds, ${maxToleranceSeconds} at most`, {
    next: 'For an old delivery, pass its time of arrival: --at <time>',
  });
}

function signCommand(contextOf: ContextOf): Command {
  const command = addSecretOptions(
    new Command('sign')
      .summary('Print the signature of a body')
      .description('Print the value of X-Platform-Signature for a body: one v1 for each secret. Nothing is sent.')
      .argument('[file]', 'the body, byte for byte; - or nothing for stdin'),
  )
    .option('--timestamp <time>', 't of the signature, Unix seconds or ISO 8601; now when absent', (given) =>
      readUnixTime('--timestamp', given),
    )
    .option('--curl <url>', 'print a curl command that sends it there, all headers included')
    .addHelpText('after', SIGN_EXAMPLES);
  return command.action(async (file = '-') => {
    const { runSign } = await import('./run-sign.ts');
    await runSign(contextOf(command), command, file);
  });
}

function sendCommand(contextOf: ContextOf): Command {
  const command = addTimeoutOption(
    addSecretOptions(
      new Command('send')
        .summary('Send one signed event to a receiver and show the response')
        .description(
          'Sign an event, post it as the platform does and show the response. It changes nothing, and calls no platform.',
        )
        .argument('[file]', 'the event: the exact body; - for stdin')
        .requiredOption('--to <url>', 'URL that it is posted to (required)')
        .option('--type <event_type>', 'a sample of this event type, of a tenant or an app, instead of a file')
        .option('-d, --data <json|@file|->', "fields of the sample's data to replace")
        .option('--tenant <id>', 'tenant of the sample, for a receiver that looks up its secret')
        .option('--app <id>', 'app of the sample, with an event type of apps')
        .option('--event-id <id>', 'id of the sample; send it twice to test how a duplicate is handled'),
    ).option('--timestamp <time>', 't of the signature, Unix seconds or ISO 8601; now when absent', (given) =>
      readUnixTime('--timestamp', given),
    ),
    'timeout in seconds for the whole response',
    LIMITS.webhook.timeoutSeconds,
  ).addHelpText('after', SEND_EXAMPLES);
  return command.action(async (file: string | undefined) => {
    const { runSend } = await import('./run-send.ts');
    await runSend(contextOf(command), command, file);
  });
}

function testCommand(contextOf: ContextOf): Command {
  const command = addReceiverTestOptions(
    addSecretOptions(
      new Command('test')
        .summary('Test a receiver, and name what it does wrong')
        .description(
          'Send valid and invalid deliveries to a receiver in any language, and name what it does wrong. The receiver handles the valid ones: use one whose data may be changed.',
        )
        .requiredOption('--to <url>', 'URL of the receiver (required)'),
    )
      .option('--former-secret-file <file>', 'a secret before a rotation, which the receiver must refuse')
      .option('--tenant <id>', 'tenant of the events; an event of another tenant must be refused')
      .option('--app <id>', "send the events of this app, for a receiver of the app's own endpoint")
      .option('--effects <command>', 'prints the number of effects so far; a duplicate must add none'),
  ).addHelpText('after', TEST_EXAMPLES);
  return command.action(async () => {
    const { runTest } = await import('./run-test.ts');
    await runTest(contextOf(command), command);
  });
}

const VERIFY_EXAMPLES = `
Ends with 0 when the delivery is valid and with 11 when it is not.

Examples:
  plat webhooks verify body.json --signature 't=1795237102,v1=5f0c…' --secret-file secret.txt
  plat webhooks verify body.json --headers-file headers.txt --at 2026-11-21T04:58:22Z`;

const SIGN_EXAMPLES = `
Examples:
  plat webhooks sign event.json --secret-file secret.txt
  plat webhooks sign event.json --curl http://localhost:3000/webhooks`;

const SEND_EXAMPLES = `
Ends with 0 when the answer is 2xx and with 11 when it is not.

Examples:
  plat webhooks send --type client.created --to http://localhost:3000/webhooks
  plat webhooks send --type installation.revoked --to http://localhost:3000/app-events --secret-file app-secret.txt
  plat webhooks send event.json --to http://localhost:3000/webhooks --secret-file secret.txt`;

const TEST_EXAMPLES = `
Ends with 0 when no case failed and with 11 when one did. No platform is called, and no key is needed.

Examples:
  plat webhooks test --to http://localhost:3000/webhooks
  plat webhooks test --to http://localhost:3000/webhooks --report junit > receiver.xml
  plat webhooks test --to http://localhost:3000/webhooks --effects "sqlite3 app.db 'select count(*) from orders'"`;
