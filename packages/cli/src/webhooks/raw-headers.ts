import { CliError } from '../errors/cli-error.ts';
import { isObject, parseJson } from '../terminal/value.ts';

/**
 * Parses the headers of a request: `Name: value` lines, or a JSON object. Names become lower case, repeated ones a
 * list. Lines after an empty one are the body; a first line without a name is the request line.
 * @throws {@link CliError} `USAGE` for text without headers
 */
export function parseHeaders(text: string): Readonly<Record<string, string | string[]>> {
  const headers = new Map<string, string[]>();
  for (const [name, value] of text.trimStart().startsWith('{') ? fromJson(text) : fromLines(text)) {
    const key = name.toLowerCase();
    headers.set(key, [...(headers.get(key) ?? []), value]);
  }
  if (headers.size === 0) throw new CliError('USAGE', '--headers-file contains neither header lines nor a JSON object');
  return Object.fromEntries(
    [...headers].map(([name, [first = '', ...more]]) => [name, more.length > 0 ? [first, ...more] : first]),
  );
}

type Pair = readonly [name: string, value: string];

function fromJson(text: string): readonly Pair[] {
  const headers = parseJson(text);
  if (!isObject(headers)) return [];
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): Pair => [name, String(one)]),
  );
}

function fromLines(text: string): readonly Pair[] {
  const [head = ''] = text.replaceAll('\r\n', '\n').trimStart().split('\n\n', 1);
  return head.split('\n').flatMap((line): readonly Pair[] => {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
}
