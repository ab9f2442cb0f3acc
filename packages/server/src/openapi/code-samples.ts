import {
  DEVELOPER_OPERATIONS,
  type DeveloperOperationName,
  developerCommandWords,
  OPERATIONS,
  type OperationInfo,
  type OperationName,
  pathParametersOf,
} from '@plat/contract';
import {
  anyId,
  DEVELOPER_OPERATION_SCHEMAS,
  id,
  type JsonSchema,
  OPERATION_SCHEMAS,
  type OperationSchemas,
  pathParameter,
  SCHEMAS,
} from '@plat/contract/schemas';
import {
  asCurl,
  asPlat,
  asSdk,
  curlCommand,
  jsonOptions,
  type OperationCall,
  platOf,
  type SdkClient,
  sdkProgram,
} from '../http/call-code.ts';
import { exampleOf, shortExampleOf } from '../http/example.ts';
import { shellWord } from '../http/shell-word.ts';
import type { CodeSample } from './openapi-document.ts';

/** Returns the same call of an operation as curl, SDK and plat. */
export function codeSamplesOf(operation: OperationName): readonly CodeSample[] {
  const call = sampleCall(operation);
  return [
    curlSample(asCurl(call)),
    { lang: 'TypeScript', label: 'SDK', source: asSdk(call) },
    { lang: 'Shell', label: 'plat', source: asPlat(call) },
  ];
}

/** Returns the same call of an operation of the developer API as curl, SDK and plat. */
export function developerSamplesOf(operation: DeveloperOperationName): readonly CodeSample[] {
  const info: OperationInfo = DEVELOPER_OPERATIONS[operation];
  const { body }: OperationSchemas = DEVELOPER_OPERATION_SCHEMAS[operation];
  const schema = body ? SCHEMAS[body] : null;
  const input = schema && shortExampleOf(schema, info.method);
  const ids = pathParametersOf(info).map(sampleId);
  const target = ids.reduce((path, each) => path.replace(/\{\w+\}/, each), info.path);
  const options = ['H "Authorization: Bearer $PLAT_DEVELOPER_TOKEN"', ...jsonOptions(input && JSON.stringify(input))];
  return [
    curlSample(curlCommand(info.method, target, options)),
    { lang: 'TypeScript', label: 'SDK', source: sdkProgram(DEVELOPER_API, operation, ids, input) },
    { lang: 'Shell', label: 'plat', source: platOf([...developerCommandWords(operation), ...ids], schema, input) },
  ];
}

const DEVELOPER_API: SdkClient = {
  module: '@plat/sdk/developer',
  className: 'DeveloperApi',
  variable: 'developer',
};

/** Returns a request with a JSON body and without a credential as curl. */
export function openSampleOf(method: OperationInfo['method'], path: string, schema: JsonSchema | null): CodeSample {
  return curlSample(curlCommand(method, path, jsonOptions(schema && JSON.stringify(shortExampleOf(schema, method)))));
}

/** Returns a request of an app with these fields of a form as curl. */
export function appSampleOf(path: string, { properties = {} }: JsonSchema, fields: readonly string[]): CodeSample {
  const data = fields.map((name) => `-data-urlencode ${shellWord(`${name}=${exampleOf(properties[name] ?? {})}`)}`);
  return curlSample(curlCommand('POST', path, ['u "$PLAT_CLIENT_ID:$PLAT_CLIENT_SECRET"', ...data]));
}

function curlSample(source: string): CodeSample {
  return { lang: 'Shell', label: 'curl', source };
}

/** Returns the shortest call that an operation accepts, with the ids of the examples. */
function sampleCall(operation: OperationName): OperationCall {
  const { body }: OperationSchemas = OPERATION_SCHEMAS[operation];
  return {
    operation,
    path: Object.fromEntries(pathParametersOf(OPERATIONS[operation]).map((name) => [name, sampleId(name)])),
    input: body ? shortExampleOf(SCHEMAS[body], OPERATIONS[operation].method) : null,
    idempotencyKey: null,
  };
}

function sampleId(parameter: string): string {
  const { kind } = pathParameter(parameter);
  return String(exampleOf(kind === null ? anyId() : id(kind)));
}
