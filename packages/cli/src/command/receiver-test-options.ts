import { LIMITS } from '@plat/contract';
import { type Command, Option } from 'commander';
import { CliError } from '../errors/cli-error.ts';
import { addTimeoutOption } from './timeout-option.ts';

/** Options that all tests of a receiver have. */
export interface ReceiverTestCommandOptions {
  readonly to: string;
  readonly header?: readonly Header[];
  readonly case?: readonly string[];
  /** Seconds. */
  readonly timeout?: number;
  readonly report?: 'junit';
}

type Header = readonly [name: string, value: string];

/** Adds the options of a test of a receiver, beside its `--to <url>`. */
export function addReceiverTestOptions(command: Command): Command {
  return addTimeoutOption(
    command
      .option('--header <name:value>', 'a further header of each request; may be repeated', readHeader, [])
      .option('--case <name...>', 'these cases only; all when absent')
      .addOption(new Option('--report <format>', 'print a report for CI systems').choices(['junit'])),
    'timeout in seconds for each response',
    LIMITS.webhook.timeoutSeconds,
  );
}

/** Returns the options of a suite that are the same for all receivers. */
export function receiverTestSettings({ to, header = [], case: cases, timeout }: ReceiverTestCommandOptions) {
  return {
    url: to,
    cases,
    timeoutMs: timeout === undefined ? undefined : timeout * 1000,
    headers: Object.fromEntries(header),
  };
}

function readHeader(given: string, before: readonly Header[]): readonly Header[] {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t -~]*)$/.exec(given) ?? [];
  if (name !== undefined && value !== undefined) return [...before, [name, value]];
  throw new CliError('USAGE', '--header takes name:value, for example --header "Authorization: Basic …"');
}
