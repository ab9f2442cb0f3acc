import { DEVELOPER_OPERATIONS, type DeveloperOperationName, type ErrorCode } from '@plat/contract';
import { DEVELOPER_OPERATION_SCHEMAS, type OperationSchemas, SCHEMAS } from '@plat/contract/schemas';
import { developerSamplesOf } from './code-samples.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { type Documented, describe, type Shared } from './operation.ts';

export const DEVELOPER_TAG = {
  developer: 'The API of `plat login`: sandbox, keys, OAuth apps. It has the version of the packages',
};

/** Codes of `/v1` that the developer API does not have: its only credential is the developer token. */
const CODES_OF_V1: ReadonlySet<ErrorCode> = new Set(['VENDOR_KEY_NOT_ALLOWED_ON_V1']);

/** Returns the paths of the developer API. */
export function developerPaths(shared: Shared): OpenApiDocument['paths'] {
  const names = Object.keys(DEVELOPER_OPERATIONS) as DeveloperOperationName[];
  return Object.fromEntries(
    [...Map.groupBy(names, (name) => DEVELOPER_OPERATIONS[name].path)].map(([path, group]) => [
      path,
      Object.fromEntries(
        group.map((name) => [
          DEVELOPER_OPERATIONS[name].method.toLowerCase(),
          {
            ...describe(
              documented(name),
              {
                tag: 'developer',
                scheme: 'developer',
                operationId: `developer.${name}`,
                hasCode: (code) => !CODES_OF_V1.has(code),
              },
              shared,
            ),
            'x-codeSamples': developerSamplesOf(name),
          },
        ]),
      ),
    ]),
  );
}

function documented(name: DeveloperOperationName): Documented {
  const { query, body, answer, errors = [], details }: OperationSchemas = DEVELOPER_OPERATION_SCHEMAS[name];
  return {
    name,
    operation: DEVELOPER_OPERATIONS[name],
    query: query ? SCHEMAS[query] : null,
    body: body ? SCHEMAS[body] : null,
    response: SCHEMAS[answer],
    errors,
    ...(details === undefined ? {} : { details }),
  };
}
