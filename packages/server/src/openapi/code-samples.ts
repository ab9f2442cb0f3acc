import { OPERATIONS, type OperationName, pathParametersOf } from '@plat/contract';
import { anyId, id, OPERATION_SCHEMAS, type OperationSchemas, pathParameter, SCHEMAS } from '@plat/contract/schemas';
import { asCurl, asPlat, asSdk, type OperationCall } from '../http/call-code.ts';
import { exampleOf, shortExampleOf } from '../http/example.ts';
import type { CodeSample } from './openapi-document.ts';

/** Returns the same call of an operation as curl, SDK and plat. */
export function codeSamplesOf(operation: OperationName): readonly CodeSample[] {
  const call = sampleCall(operation);
  return [
    { lang: 'Shell', label: 'curl', source: asCurl(call) },
    { lang: 'TypeScript', label: 'SDK', source: asSdk(call) },
    { lang: 'Shell', label: 'plat', source: asPlat(call) },
  ];
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
