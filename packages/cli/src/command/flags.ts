import type { ConnectionFlags } from '../connection/base-url-setting.ts';
import { CliError } from '../errors/cli-error.ts';

/** Options that every command takes. */
export interface GlobalFlags extends ConnectionFlags {
  /** True when results and errors are JSON. */
  readonly json: boolean;
  readonly output: OutputFormat;
  /** Paths of the fields to show; undefined shows the default fields. */
  readonly fields: readonly string[] | undefined;
  /** Tables on a terminal have every column, uncut, with exact times. */
  readonly wide: boolean;
  readonly live: boolean;
}

/** Formats of results. */
export const OUTPUT_FORMATS = ['table', 'json', 'ndjson', 'csv'] as const;

/** One of {@link OUTPUT_FORMATS}. */
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** The global options, for the parser and for the root help. */
export const GLOBAL_OPTIONS: readonly GlobalOption[] = [
  { flags: '--json', help: "print the API's JSON; errors are JSON too, on stderr" },
  { flags: '--output <format>', help: 'table, json, ndjson (one object per line) or csv', choices: OUTPUT_FORMATS },
  {
    flags: '--fields <name,…>',
    help: 'only these fields, in this order; nested ones by path: actor.id',
    read: readFields,
  },
  { flags: '--wide', help: 'tables with every column, uncut, and exact times' },
  { flags: '--base-url <url>', help: 'address of the service' },
  { flags: '--api-key-file <file>', help: 'file with the API key, or - for stdin' },
  { flags: '--profile <name>', help: 'server and key of a profile: plat profile list' },
  { flags: '--live', help: 'allow a change with a production key (plat_live_…)' },
];

interface GlobalOption {
  readonly flags: string;
  readonly help: string;
  readonly choices?: readonly string[];
  /** Adds a value to those before it. */
  readonly read?: (given: string, before?: readonly string[]) => readonly string[];
}

/** Reads the options of every command, and `--ndjson` of those that have it. */
export function readGlobalFlags(options: Readonly<Record<string, unknown>>): GlobalFlags {
  const text = (name: string) => (typeof options[name] === 'string' ? options[name] : undefined);
  const output = readOutput(options);
  return {
    json: output === 'json' || output === 'ndjson',
    output,
    fields: Array.isArray(options['fields']) ? options['fields'] : undefined,
    wide: options['wide'] === true,
    baseUrl: text('baseUrl'),
    apiKeyFile: text('apiKeyFile'),
    profile: text('profile'),
    live: options['live'] === true,
  };
}

/** Returns true if errors must be JSON. Reads the raw arguments, because parsing them may have failed. */
export function isJsonRequested(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const options = end === -1 ? args : args.slice(0, end);
  return options.some(
    (option, index) =>
      /^--(json|ndjson|output=(json|ndjson))$/.test(option) ||
      (option === '--output' && /^(json|ndjson)$/.test(options[index + 1] ?? '')),
  );
}

/** @throws {@link CliError} `USAGE` for two different formats */
function readOutput({ json, ndjson, output }: Readonly<Record<string, unknown>>): OutputFormat {
  const named = OUTPUT_FORMATS.find((format) => format === output);
  // --json with --ndjson is accepted and means --ndjson.
  const short = ndjson === true ? 'ndjson' : json === true ? 'json' : undefined;
  if (named !== undefined && short !== undefined && named !== short) {
    throw new CliError('USAGE', `--${short} and --output ${named} exclude each other`);
  }
  return named ?? short ?? 'table';
}

function readFields(given: string, before: readonly string[] = []): readonly string[] {
  const names = given
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length > 0) return [...before, ...names];
  throw new CliError('USAGE', '--fields needs names of fields: --fields id,name');
}
