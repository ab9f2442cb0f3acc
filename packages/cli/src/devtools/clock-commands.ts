import { Command } from 'commander';
import type { ContextOf } from '../command/described-command.ts';
import { durationMs } from '../command/duration.ts';
import { CliError } from '../errors/cli-error.ts';
import type { JsonObject } from '../terminal/value.ts';
import { readTimeoutMs } from './timeout.ts';

interface Travel {
  readonly force?: boolean;
  readonly persistent?: boolean;
  /** In ms. */
  readonly timeout?: number;
}

/** `plat dev clock …`: the clock of a server in development mode. */
export function clockCommands(contextOf: ContextOf): readonly Command[] {
  return [
    showCommand(contextOf),
    moving(contextOf, 'freeze', '[time]', 'Stop the clock, now or at a time', FREEZE, (at) =>
      at === undefined ? {} : { at },
    ),
    moving(contextOf, 'set', '<time>', 'Set the clock to a time', SET, (at = '') => ({ at })),
    moving(contextOf, 'advance', '<duration>', 'Advance the clock', ADVANCE, (by = '') => ({
      seconds: readSeconds(by),
    })),
    resumeCommand(contextOf),
    resetCommand(contextOf),
  ];
}

function showCommand(contextOf: ContextOf): Command {
  const command = new Command('show')
    .summary('Show the time of the clock')
    .description('Show the time of the clock, and the work that waits for a later time.');
  return command.action(async () => {
    const { runDev } = await import('./run-dev.ts');
    await runDev(contextOf(command), 'GET', '/_dev/clock');
  });
}

function resumeCommand(contextOf: ContextOf): Command {
  const command = new Command('resume')
    .summary('Resume the clock')
    .description('Let the clock run from its present time.');
  return command.action(async () => {
    const { runDev } = await import('./run-dev.ts');
    await runDev(contextOf(command), 'POST', '/_dev/clock/resume', { body: {} });
  });
}

function resetCommand(contextOf: ContextOf): Command {
  const command = new Command('reset')
    .summary('Return the clock to real time')
    .description(
      'Return the clock to the time of the server machine, forwards or back, running. Objects keep the times they have; plat sandbox reset removes those from the future.',
    );
  return command.action(async () => {
    const { runDev } = await import('./run-dev.ts');
    await runDev(contextOf(command), 'POST', '/_dev/clock/reset', { body: {} });
  });
}

function moving(
  contextOf: ContextOf,
  name: 'freeze' | 'set' | 'advance',
  argument: string,
  summary: string,
  help: string,
  fieldsOf: (given: string | undefined) => JsonObject,
): Command {
  const command = new Command(name)
    .summary(summary)
    .description(`${summary}. The work that falls due until then runs first, in order.`)
    .argument(
      argument,
      argument.includes('time') ? 'ISO 8601 with offset: 2026-01-31T12:00:00Z' : 'duration: 90s, 15m, 24h, 30d',
    )
    .option('--timeout <seconds>', 'maximum time for that work; 30 when absent', readTimeoutMs)
    .option('--persistent', 'also for a sandbox that keeps its data (without plat dev --fresh)')
    .addHelpText('after', help);
  if (name !== 'advance') command.option('--force', 'also back: existing objects keep their times');
  return command.action(async (given: string | undefined) => {
    const { force, persistent, timeout: timeoutMs }: Travel = command.opts();
    const body = {
      ...fieldsOf(given),
      ...(force && { force }),
      ...(persistent && { persistent }),
      ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
    };
    const { runDev } = await import('./run-dev.ts');
    await runDev(contextOf(command), 'POST', `/_dev/clock/${name}`, { body, timeoutMs });
  });
}

/** @throws {@link CliError} `USAGE` */
function readSeconds(given: string): number {
  const ms = durationMs(given);
  if (ms !== undefined) return ms / 1000;
  throw new CliError('USAGE', `A length of time is 90s, 15m, 24h or 30d, not "${given}"`);
}

const FREEZE = `
Examples:
  plat dev clock freeze
  plat dev clock freeze 2026-01-01T00:00:00Z --force`;
const SET = `
Examples:
  plat dev clock set 2027-01-31T12:00:00Z`;
const ADVANCE = `
Examples:
  plat dev clock advance 1h      access tokens expire
  plat dev clock advance 2d      all seven attempts of a delivery are made`;
