import { exec } from 'node:child_process';
import { WebhookConfigurationError } from '@plat/webhooks';
import { testReceiver } from '@plat/webhooks/conformance';
import type { Command } from 'commander';
import type { CommandContext } from '../command/context.ts';
import { type ReceiverTestCommandOptions, receiverTestSettings } from '../command/receiver-test-options.ts';
import { CliError } from '../errors/cli-error.ts';
import { readInput } from '../files/input-file.ts';
import { receiverFailureOf, receiverReportPrinter } from '../output/receiver-report.ts';
import { readSecrets } from './secrets.ts';

interface TestOptions extends ReceiverTestCommandOptions {
  readonly formerSecretFile?: string;
  readonly tenant?: string;
  readonly app?: string;
  readonly effects?: string;
}

/**
 * Sends the deliveries of the conformance suite to a receiver, and prints what it does wrong.
 * @throws CheckFailedError `RECEIVER_FAILED` when a case failed
 */
export async function runTest(context: CommandContext, command: Command): Promise<void> {
  const options: TestOptions = command.opts();
  const { tenant: tenantId, app: appId, effects, report: format } = options;
  const [secret = '', ...more] = await readSecrets(context.io, command);
  if (more.length > 0) {
    throw new CliError('USAGE', 'The test needs the one secret with which the receiver verifies', {
      next: 'Pass a secret that must be refused, after a rotation, with --former-secret-file <file>.',
    });
  }
  const show = receiverReportPrinter(context, format);
  const report = await testReceiver({
    ...receiverTestSettings(options),
    secret,
    formerSecret: await readFormerSecret(context, options),
    tenantId,
    appId,
    effects: effects === undefined ? undefined : () => countEffects(context, effects),
    onResult: (result) => show.result(result),
  }).catch((error: unknown) => {
    if (error instanceof WebhookConfigurationError) throw new CliError('USAGE', error.message);
    throw error;
  });
  await show.report(report);
  if (!report.ok) throw receiverFailureOf(report);
}

async function readFormerSecret(
  { io }: CommandContext,
  { formerSecretFile }: TestOptions,
): Promise<string | undefined> {
  if (formerSecretFile === undefined) return undefined;
  const secret = (await readInput(io, '--former-secret-file', formerSecretFile)).trim();
  if (secret !== '') return secret;
  throw new CliError('USAGE', '--former-secret-file contains no secret');
}

/** Runs the user's command, which prints the number of effects so far. */
function countEffects({ io }: CommandContext, command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    exec(command, { cwd: io.cwd, env: { ...io.env } }, (error, stdout) => {
      const text = stdout.trim();
      if (!error && /^\d+$/.test(text)) return resolve(Number(text));
      const what = error ? `ended with exit code ${error.code ?? 'none'}` : `printed "${text.slice(0, 40)}"`;
      reject(new CliError('USAGE', `--effects takes a command that prints a whole number; it ${what}`));
    });
  });
}
