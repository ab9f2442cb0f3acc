import { exec } from 'node:child_process';
import { WebhookConfigurationError } from '@plat/webhooks';
import { type CaseResult, type ReceiverReport, testReceiver } from '@plat/webhooks/conformance';
import type { Command } from 'commander';
import { type CommandContext, note, print } from '../command/context.ts';
import { CheckFailedError, CliError } from '../errors/cli-error.ts';
import { readInput } from '../files/input-file.ts';
import { tableListPrinter } from '../output/list.ts';
import { jsonLine, printResult } from '../output/result.ts';
import { safeMessage } from '../terminal/printable.ts';
import { styleOf } from '../terminal/style.ts';
import { junitReport } from './junit.ts';
import { readSecrets } from './secrets.ts';

interface TestOptions {
  readonly to: string;
  readonly formerSecretFile?: string;
  readonly tenant?: string;
  readonly effects?: string;
  readonly header?: readonly (readonly [name: string, value: string])[];
  readonly case?: readonly string[];
  /** Seconds. */
  readonly timeout?: number;
  readonly report?: 'junit';
}

/**
 * Sends the deliveries of the conformance suite to a receiver, and prints what it does wrong.
 * @throws {@link CheckFailedError} `RECEIVER_FAILED` when a case failed
 */
export async function runTest(context: CommandContext, command: Command): Promise<void> {
  const options: TestOptions = command.opts();
  const { to: url, tenant: tenantId, effects, case: cases, timeout, report: format } = options;
  const [secret = '', ...more] = await readSecrets(context.io, command);
  if (more.length > 0) {
    throw new CliError('USAGE', 'The test needs the one secret with which the receiver verifies', {
      next: 'Pass a secret that must be refused, after a rotation, with --former-secret-file <file>.',
    });
  }
  const show = printerOf(context, format);
  const report = await testReceiver({
    url,
    secret,
    formerSecret: await readFormerSecret(context, options),
    tenantId,
    cases,
    timeoutMs: timeout === undefined ? undefined : timeout * 1000,
    headers: Object.fromEntries(options.header ?? []),
    effects: effects === undefined ? undefined : () => countEffects(context, effects),
    onResult: (result) => show.result(result),
  }).catch((error: unknown) => {
    if (error instanceof WebhookConfigurationError) throw new CliError('USAGE', error.message);
    throw error;
  });
  await show.report(report);
  if (!report.ok) throw failureOf(report);
}

/** Prints results as they come, or the whole report at its end. */
interface Printer {
  result(result: CaseResult): void;
  report(report: ReceiverReport): Promise<void>;
}

function printerOf(context: CommandContext, format: TestOptions['report']): Printer {
  const { output } = context.flags;
  let printed: Promise<void> = Promise.resolve();
  const printNext = (text: string): void => {
    printed = printed.then(() => print(context, text));
  };
  const nothing = (): void => undefined;
  if (format === 'junit') return { result: nothing, report: (report) => print(context, junitReport(report)) };
  if (output === 'json') return { result: nothing, report: (report) => printResult(context, rowOf(report)) };
  if (output === 'csv') {
    return { result: nothing, report: ({ cases }) => tableListPrinter(context).rows(cases.map(rowOfCase)) };
  }
  if (output === 'ndjson') {
    return { result: (result) => printNext(`${jsonLine(rowOfCase(result))}\n`), report: () => printed };
  }
  return {
    result: (result) => printNext(lines(context, result)),
    async report({ passed, failed, skipped }) {
      await printed;
      await note(context, `${passed} passed, ${failed} failed, ${skipped} skipped`);
    },
  };
}

function rowOf({ url, ok, passed, failed, skipped, cases }: ReceiverReport): object {
  return { object: 'receiver_test', url, ok, passed, failed, skipped, cases: cases.map(rowOfCase) };
}

function rowOfCase({ name, outcome, title, problem, advice, note: remark, durationMs }: CaseResult) {
  return { name, outcome, title, problem, advice, note: remark, duration_ms: durationMs };
}

const MARKS = { passed: 'ok  ', failed: 'fail', skipped: 'skip' } as const;

function lines({ io }: CommandContext, { name, outcome, title, problem, advice, note: remark }: CaseResult): string {
  const style = styleOf(io, io.stdout);
  const mark = outcome === 'failed' ? style.alarm(MARKS.failed) : style.faint(MARKS[outcome]);
  const line = (label: string, text: string | null): string =>
    text === null ? '' : `      ${label === '' ? '' : `${style.faint(label)} `}${safeMessage(text)}\n`;
  return `${mark}  ${name.padEnd(20)}${title}\n${line('', problem)}${line('next:', advice)}${line('note:', remark)}`;
}

function failureOf({ cases }: ReceiverReport): CheckFailedError {
  const failed = cases.filter(({ outcome }) => outcome === 'failed');
  const names = failed.map(({ name }) => name).join(', ');
  return new CheckFailedError('RECEIVER_FAILED', `The receiver failed: ${names}`, {
    next: failed[0]?.advice ?? undefined,
  });
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
