import { commandWords, methodWords, OPERATIONS, type OperationName, pathParametersOf } from '@plat/contract';
import { type JsonSchema, OPERATION_SCHEMAS, type OperationSchemas, SCHEMAS } from '@plat/contract/schemas';
import { shellWord } from './shell-word.ts';

/** A call of an operation of /v1. */
export interface OperationCall {
  readonly operation: OperationName;
  /** Values of the parameters in the path. */
  readonly path: Readonly<Record<string, string>>;
  /** Query or body; null without one. */
  readonly input: Readonly<Record<string, unknown>> | null;
  readonly idempotencyKey: string | null;
}

/** Returns the schema of the query or body of an operation; null if it takes none. */
export function inputSchemaOf(operation: OperationName): JsonSchema | null {
  const { query, body }: OperationSchemas = OPERATION_SCHEMAS[operation];
  const name = body ?? query;
  return name === undefined ? null : SCHEMAS[name];
}

/** Returns path and query of a call. */
export function targetOf({ operation, path, input }: OperationCall): string {
  const { method, path: template } = OPERATIONS[operation];
  const own = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  if (method !== 'GET' || input === null || Object.keys(input).length === 0) return own;
  return `${own}?${new URLSearchParams(Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]))}`;
}

/** Returns the JSON body of a call; null if it sends none. */
export function bodyOf({ operation, input }: OperationCall): string | null {
  return OPERATIONS[operation].method === 'GET' || input === null ? null : JSON.stringify(input);
}

export function asCurl(call: OperationCall): string {
  const { method } = OPERATIONS[call.operation];
  const { idempotencyKey } = call;
  return curlCommand(method, targetOf(call), [
    WITH_API_KEY,
    ...idempotencyOptions(idempotencyKey),
    ...jsonOptions(bodyOf(call)),
  ]);
}

/** Option of curl that sends the API key. */
export const WITH_API_KEY = 'H "Authorization: Bearer $PLAT_API_KEY"';

/** Returns a request as curl. Each option is on its own line, and is given without its hyphen. */
export function curlCommand(method: string, target: string, options: readonly string[]): string {
  const line = `curl ${method === 'GET' ? '' : `-X ${method} `}"$PLAT_BASE_URL"${shellWord(target)}`;
  return [line, ...options.map((option) => `  -${option}`)].join(' \\\n');
}

/** Returns the options of curl that send the key of an idempotent request. */
export function idempotencyOptions(key: string | null): readonly string[] {
  return key === null ? [] : [`H ${shellWord(`Idempotency-Key: ${key}`)}`];
}

/** Returns the options of curl that send a JSON body. */
export function jsonOptions(body: string | null): readonly string[] {
  return body === null ? [] : ['H "Content-Type: application/json"', `d ${shellWord(body)}`];
}

/** Returns a program with the SDK, which reads address and key from the environment. */
export function asSdk({ operation, path, input }: OperationCall): string {
  const ids = pathParametersOf(OPERATIONS[operation]).map((name) => path[name] ?? '');
  return sdkProgram(PLATFORM, operation, ids, input);
}

/** A client of the SDK, with the names that its programs have. */
export interface SdkClient {
  readonly module: string;
  readonly className: string;
  readonly variable: string;
}

const PLATFORM: SdkClient = { module: '@plat/sdk', className: 'Platform', variable: 'platform' };

/** Returns a program that prints the result of a method of a client of the SDK. */
export function sdkProgram(
  { module, className, variable }: SdkClient,
  operation: Parameters<typeof methodWords>[0],
  ids: readonly string[],
  input: OperationCall['input'],
): string {
  const isEmpty = input === null || Object.keys(input).length === 0;
  const args = [...ids.map((id) => JSON.stringify(id)), ...(isEmpty ? [] : [literal(input)])].join(', ');
  return `import { ${className} } from '${module}';

const ${variable} = new ${className}();
console.log(await ${variable}.${methodWords(operation).join('.')}(${args}));`;
}

export function asPlat({ operation, path, input }: OperationCall): string {
  const ids = pathParametersOf(OPERATIONS[operation]).map((name) => path[name] ?? '');
  return platOf([...commandWords(operation), ...ids], inputSchemaOf(operation), input);
}

/** Returns a command of plat with its input as options. */
export function platOf(words: readonly string[], schema: JsonSchema | null, input: OperationCall['input']): string {
  const options = Object.entries(input ?? {}).map(([name, value]) => {
    const word = (schema?.properties?.[name]?.['x-same-as'] ?? name).replaceAll('_', '-');
    if (value === true) return ` --${word}`;
    if (value === false || value === null) return ` --no-${word}`;
    const text = String(value);
    // A value that starts with a hyphen would be another option.
    return text.startsWith('-') || text === '' ? ` --${word}=${shellWord(text)}` : ` --${word} ${shellWord(text)}`;
  });
  return `plat ${words.map(shellWord).join(' ')}${options.join('')}`;
}

/** Returns a value as an object of JavaScript. Each line of the JSON has at most one name, at its beginning. */
function literal(value: object): string {
  return JSON.stringify(value, null, 2).replace(/^( *)"([A-Za-z_]\w*)": /gm, '$1$2: ');
}
