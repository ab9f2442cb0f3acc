import type { CaseResult, ReceiverReport } from '@plat/contract/conformance';
import { type CommandContext, note, print } from '../command/context.ts';
import { CheckFailedError } from '../errors/cli-error.ts';
import { safeMessage } from '../terminal/printable.ts';
import { styleOf } from '../terminal/style.ts';
import { junitReport } from './junit.ts';
import { tableListPrinter } from './list.ts';
import { jsonLine, printResult } from './result.ts';

/** Prints results as they come, or the whole report at its end. */
export interface ReceiverReportPrinter {
  result(result: CaseResult): void;
  report(report: ReceiverReport): Promise<void>;
}

/** Returns the printer for the output flags, or for `--report`. */
export function receiverReportPrinter(context: CommandContext, format: 'junit' | undefined): ReceiverReportPrinter {
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

/** Returns the error for the failed cases of a report. */
export function receiverFailureOf({ cases }: ReceiverReport): CheckFailedError {
  const failed = cases.filter(({ outcome }) => outcome === 'failed');
  const names = failed.map(({ name }) => name).join(', ');
  return new CheckFailedError('RECEIVER_FAILED', `The receiver failed: ${names}`, {
    next: failed[0]?.advice ?? undefined,
  });
}
