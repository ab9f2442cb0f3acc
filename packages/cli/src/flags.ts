/** Options that every command takes. */
export interface GlobalFlags {
  readonly json: boolean;
  readonly baseUrl: string | undefined;
  readonly apiKeyFile: string | undefined;
  readonly live: boolean;
}

/** The options with their help, the one list for the parser and for the first screen of help. */
export const GLOBAL_OPTIONS = [
  { flags: '--json', help: "print the API's JSON; errors are JSON too, on stderr" },
  { flags: '--base-url <url>', help: 'address of the service' },
  { flags: '--api-key-file <file>', help: 'file with the API key, or - for stdin' },
  { flags: '--live', help: 'allow a change with a production key (plat_live_…)' },
] as const;

/** Whether errors are to be JSON: asked of the bare arguments, as it has to be known when they cannot be parsed. */
export function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const options = end === -1 ? args : args.slice(0, end);
  return options.includes('--json') || options.includes('--ndjson');
}
