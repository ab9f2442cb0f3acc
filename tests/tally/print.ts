import { FAULTS, type Fault } from './reckon.ts';
import type { Run } from './run-tally.ts';

const MOST_EXAMPLES = 10;

/** Formats the result of a run for people. */
export function printedTally({ tally, ...run }: Run, how: string): string {
  const { changes, deliveries, attempts, faults } = tally;
  const count = (fault: Fault): number => faults.filter((found) => found.fault === fault).length;
  const minutes = (run.seconds / 60).toFixed(1);
  return [
    `${how}: ${run.kills} kills in ${minutes} min, ${run.killedWhileStarting} of them while the process started`,
    '',
    line('acknowledged changes', changes.answered),
    line('  not in the database', count('unsaved'), '= 0'),
    line('  in the database without an event', count('eventless'), '= 0'),
    line('requests without a response', run.unanswered),
    ...[...run.refused].map(([what, times]) => line(`requests answered ${what}`, times)),
    line('events committed', changes.committed),
    line('deliveries committed (events × endpoints)', deliveries.committed),
    line('  delivered', deliveries.delivered),
    line('  still due', deliveries.due),
    line('  failed', deliveries.failed),
    line('  due, but not sent', count('overdue'), '= 0'),
    line('  lost', count('lost'), '= 0'),
    line('  scheduled twice', count('doubled'), '= 0'),
    line('attempts that arrived', attempts.arrived),
    line('  of deliveries that were not committed', count('invented'), '= 0'),
    line('  again: in flight when its process was killed', attempts.again.killed),
    line('  again: in flight when its process stalled', attempts.again.stalled),
    line('  again: for another reason', count('repeated'), '= 0'),
    line('  whose response did not reach the sender', attempts.unheard),
    line('outcomes of responses that no receiver sent', count('unanswered'), '= 0'),
    line('processes that ended by themselves', run.crashes.length, '= 0'),
    '',
    ...faults.slice(0, MOST_EXAMPLES).map(({ fault, what }) => `${FAULTS[fault]}: ${what}`),
    ...run.crashes,
    holds(tally.faults.length, run) ? 'Nothing is lost.' : 'THE PROMISES ARE BROKEN.',
  ].join('\n');
}

/** Returns true if a run fulfils all promises. */
export function isSound({ tally, ...run }: Run, kills: number): boolean {
  return holds(tally.faults.length, run) && run.kills >= kills;
}

function holds(faults: number, { crashes }: Pick<Run, 'crashes'>): boolean {
  return faults === 0 && crashes.length === 0;
}

function line(label: string, count: number, demanded = ''): string {
  return `${label.padEnd(50)}${count.toLocaleString('en').padStart(10)}  ${demanded}`.trimEnd();
}
