import { type CommandContext, print } from '../command/context.ts';
import { CheckFailedError } from '../errors/cli-error.ts';
import { jsonLine, printResult } from '../output/result.ts';
import { safeMessage } from '../terminal/printable.ts';
import { styleOf } from '../terminal/style.ts';
import type { Check, RunCheck } from './check.ts';
import { checkFiles } from './files.ts';
import { checkNode } from './node.ts';
import { checkServer } from './server.ts';

const CHECKS: readonly RunCheck[] = [checkNode, checkFiles, checkServer];

/**
 * Runs the checks and prints each result.
 * @throws {@link CheckFailedError} `DOCTOR_FAILED`
 */
export async function runDoctor(context: CommandContext, options: { readonly fix: boolean }): Promise<void> {
  const { output } = context.flags;
  const checks: Check[] = [];
  for (const runCheck of CHECKS) {
    for (const check of await runCheck(context, options)) {
      checks.push(check);
      if (output === 'ndjson') await print(context, `${jsonLine(check)}\n`);
      else if (output === 'table') await print(context, lines(context, check));
    }
  }
  const failed = checks.filter(({ status }) => status === 'fail');
  if (output === 'json') await printResult(context, { object: 'doctor', ok: failed.length === 0, checks });
  if (output === 'csv') await printChecksAsCsv(context, checks);
  if (failed.length === 0) return;
  throw new CheckFailedError('DOCTOR_FAILED', `Failed checks: ${failed.map(({ name }) => name).join(', ')}`, {
    next: failed[0]?.next ?? undefined,
  });
}

async function printChecksAsCsv(context: CommandContext, checks: readonly Check[]): Promise<void> {
  const { tableListPrinter } = await import('../output/list.ts');
  await tableListPrinter(context).rows(checks.map((check) => ({ ...check })));
}

function lines({ io }: CommandContext, { name, status, message, next }: Check): string {
  const style = styleOf(io, io.stdout);
  const mark = status === 'ok' ? style.faint('ok  ') : style.alarm(status);
  const todo = next === null ? '' : `      ${style.faint('next:')} ${safeMessage(next)}\n`;
  return `${mark}  ${name.padEnd(12)}${safeMessage(message)}\n${todo}`;
}
