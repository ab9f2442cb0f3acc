import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import { lazily } from '../../kernel/lazily.ts';
import { printFields, printJson, printLines, printRows } from '../commands/print.ts';
import type { Status } from '../commands/status.ts';
import { JSON_OPTION } from './options.ts';

const { explainConfig } = lazily(() => import('../../config/explain-config.ts'));
const { examine } = lazily(() => import('../commands/doctor.ts'));
const { readStatus } = lazily(() => import('../commands/status.ts'));

/** The environment of the process, and the configuration that it results in. */
export interface Surroundings {
  readonly variables: Readonly<Record<string, string | undefined>>;
  config(): Promise<Config>;
}

/** Commands that look at an installation and change nothing. */
export function addInspection(program: Command, { variables, config }: Surroundings): void {
  program
    .command('status')
    .description('show version, schema, running processes, queues and clocks of this installation')
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => {
      const status = await readStatus(await config());
      if (json) printJson(status);
      else printStatus(status);
    });
  program
    .command('doctor')
    .description(
      'check configuration, database, keys, clock and services; exit code 1 if one fails, and a fix for each problem',
    )
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => {
      const findings = await examine(variables);
      if (json) printJson(findings);
      else {
        printLines(
          findings.flatMap(({ check, result, detail, fix }) => [
            `${result.padEnd(7)}  ${check}: ${detail}`,
            ...(fix === null ? [] : [`         → ${fix}`]),
          ]),
        );
      }
      if (findings.some(({ result }) => result === 'failed')) process.exitCode = 1;
    });
  program
    .command('config')
    .description('the configuration of this environment')
    .command('check')
    .description('print the effective configuration without its secrets; exit code 1 for refused or unknown variables')
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => {
      const explanation = await explainConfig(variables);
      const { settings, unknown, problems } = explanation;
      if (json) printJson(explanation);
      else {
        printRows(
          settings.map(({ variable, value, source }) => ({ variable, value, source })),
          false,
        );
        printLines([
          ...problems.map((problem) => `refused  ${problem}`),
          ...unknown.map(
            ({ variable, similar }) => `unknown  ${variable}${similar === null ? '' : `: did you mean ${similar}?`}`,
          ),
        ]);
      }
      if (problems.length + unknown.length > 0) process.exitCode = 1;
    });
}

function printStatus({ program, database, schema, clock_offset_ms, processes, queues, notes }: Status): void {
  const { shards, ...counts } = queues ?? { shards: null };
  printFields(
    {
      version: program.version,
      commit: program.commit,
      database,
      migrations: schema.applied,
      clock_offset_ms,
      ...counts,
      ...(shards && { shards_held: `${shards.held} of ${shards.total}, by ${shards.holders} processes` }),
    },
    false,
  );
  printLines(['']);
  if (processes.length > 0) {
    printRows(
      processes.map((row) => ({ ...row })),
      false,
    );
  }
  printLines(notes.map((note) => `! ${note}`));
}
