import { isOperationName, OPERATIONS, type OperationName, pathParametersOf, readJsonObject } from '@plat/contract';
import type { JsonSchema } from '@plat/contract/schemas';
import { inputSchemaOf, type OperationCall } from '../http/call-code.ts';
import { ApiError } from '../kernel/api-error.ts';
import { numberOrText, type Problems } from './forms.ts';
import type { Query } from './parts/list.ts';

/** The form of an operation. The names of its fields are `path.<name>`, and `in.<name>` and `null.<name>`, or `json`. */
export interface Filled {
  readonly operation: OperationName;
  /** Fields as typed. */
  readonly given: Query;
  /** True if the query or body is edited as JSON. */
  readonly asJson: boolean;
}

/** The operation that a person sees first: a read that every role with this room may make. */
export const FIRST_OPERATION: OperationName = 'clients.list';

/**
 * Returns the form of the chosen operation.
 * @throws {@link ApiError} NOT_FOUND
 */
export function filledForm(given: Query): Filled {
  const { operation = '', as } = given;
  if (!isOperationName(operation)) throw new ApiError('NOT_FOUND', 'There is no such operation');
  return { operation, given, asJson: as === 'json' };
}

/** A field of the query or body of an operation. */
export interface InputField {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly kind: 'text' | 'number' | 'list' | 'flag' | 'choice';
}

/** Returns the fields of the query or body. A second name of the same field is left out. */
export function inputFields(operation: OperationName): readonly InputField[] {
  const { properties = {}, required = [] } = inputSchemaOf(operation) ?? {};
  return Object.entries(properties)
    .filter(([, schema]) => schema['x-same-as'] === undefined)
    .map(([name, schema]) => ({
      name,
      schema,
      isRequired: required.includes(name),
      isNullable: canBeNull(schema),
      kind: kindOf(schema),
    }));
}

function canBeNull({ type, enum: values = [] }: JsonSchema): boolean {
  return [type].flat().includes('null') || values.includes(null);
}

function kindOf({ type, enum: values }: JsonSchema): InputField['kind'] {
  const types = [type].flat();
  if (types.includes('array')) return 'list';
  if (types.includes('boolean')) return 'flag';
  if (values !== undefined) return 'choice';
  return types.includes('integer') || types.includes('number') ? 'number' : 'text';
}

/** Returns the call that a form describes, or the problems of its fields. The API itself checks the values. */
export function readForm({ operation, given, asJson }: Filled): {
  readonly call: OperationCall | null;
  readonly problems: Problems;
} {
  const names = pathParametersOf(OPERATIONS[operation]);
  const path = Object.fromEntries(names.map((name) => [name, (given[`path.${name}`] ?? '').trim()]));
  const problems: Record<string, string> = {};
  for (const name of names) if (path[name] === '') problems[`path.${name}`] = 'Enter the id.';
  const input = asJson ? parsed(given['json'] ?? '') : typed(operation, given);
  if (input === undefined) problems['json'] = 'Enter one JSON object.';
  if (input === undefined || Object.keys(problems).length > 0) return { call: null, problems };
  const { method } = OPERATIONS[operation];
  const key = method === 'POST' ? (given['key'] ?? '').trim() : '';
  return { call: { operation, path, input, idempotencyKey: key === '' ? null : key }, problems };
}

function parsed(text: string): Record<string, unknown> | undefined {
  const { value } = readJsonObject(text);
  return value && { ...value };
}

/** Converts the texts of the form. An empty field is absent, and a ticked null is null. */
function typed(operation: OperationName, given: Query): Record<string, unknown> | null {
  if (inputSchemaOf(operation) === null) return null;
  const values = inputFields(operation).flatMap(({ name, kind, isNullable }): [string, unknown][] => {
    if (isNullable && given[`null.${name}`] === 'on') return [[name, null]];
    const text = given[`in.${name}`] ?? '';
    return text.trim() === '' ? [] : [[name, inputOf(kind, text)]];
  });
  return Object.fromEntries(values);
}

function inputOf(kind: InputField['kind'], text: string): unknown {
  switch (kind) {
    case 'list':
      return text.split(/[\s,]+/).filter((item) => item !== '');
    case 'flag':
      return text === 'true';
    case 'number':
      return numberOrText(text);
    case 'text':
    case 'choice':
      return text;
  }
}
