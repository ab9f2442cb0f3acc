import type { AppTrace, Trace, TraceParams } from '@plat/contract';
import { connect } from '../command/connect.ts';
import { type CommandContext, note, print } from '../command/context.ts';
import { printResult } from '../output/result.ts';
import { styleOf } from '../terminal/style.ts';
import { traceLines } from './trace-lines.ts';

/** Prints the trace of an id as a timeline, or as the API returns it. */
export async function runTrace(context: CommandContext, id: string, params: TraceParams): Promise<void> {
  const platform = await connect(context, { changes: false });
  const trace = await platform.trace.get(id.trim(), params);
  platform.close();
  if (!(await printTrace(context, trace, 'plat trace'))) return;
  for (const [scope, withheld] of Map.groupBy(trace.withheld, (part) => part.scope)) {
    const parts = withheld.map(({ part }) => part).join(', ');
    await note(context, `Not shown without the scope ${scope}: ${parts}`);
  }
}

/** Prints a trace. Resolves to false if it was printed as the API returns it. */
export async function printTrace(context: CommandContext, trace: Trace | AppTrace, command: string): Promise<boolean> {
  const { io, flags } = context;
  if (flags.output !== 'table' || flags.fields !== undefined) {
    await printResult(context, trace);
    return false;
  }
  const lines = traceLines(trace, styleOf(io, io.stdout), Date.now());
  await print(context, lines.map((line) => `${line}\n`).join(''));
  if (trace.entries.length === 0) await note(context, 'None found.');
  if (trace.truncated.length > 0) await note(context, `Only the newest are shown: ${trace.truncated.join(', ')}`);
  if (trace.next_cursor !== null) {
    await note(context, `Older causes: ${command} ${trace.subject.id} --starting-after ${trace.next_cursor}`);
  }
  return true;
}
