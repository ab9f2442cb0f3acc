import { type FieldError, LIMITS } from '@plat/contract';
import { type JsonSchema, type Source, STRUCTURE_MESSAGES, trim } from '@plat/contract/schemas';
import type { Schema, ValidationError, ValidationResult } from 'joi';
import { ApiError } from '../kernel/api-error.ts';
import { compile } from './compile.ts';

/**
 * Checks a value against a schema and returns it in the form that the service stores: trimmed, with numbers parsed.
 * @throws {@link ApiError} with every invalid field
 */
export function validate(
  code: 'INVALID_REQUEST' | 'INVALID_BODY',
  schema: JsonSchema,
  given: unknown,
  source: Source = 'body',
): unknown {
  const { value, error }: ValidationResult<unknown> = compiled(schema, source).validate(trim(schema, given));
  if (error) throw refusal(code, fieldErrors(schema, error));
  return value;
}

/** Returns true if a text is valid as it stands, without being trimmed. */
export function isValid(schema: JsonSchema, text: string): boolean {
  return compiled(schema, 'body').validate(text).error === undefined;
}

/** Returns a refusal that names the invalid fields. */
export function refusal(code: 'INVALID_REQUEST' | 'INVALID_BODY', errors: readonly FieldError[]): ApiError {
  const what = code === 'INVALID_BODY' ? 'body' : 'request';
  const first = errors[0];
  const detail = first ? `: ${first.path === '' ? '' : `${first.path} `}${first.message}` : '';
  return new ApiError(code, `The ${what} is not valid${detail}`, { errors });
}

const compiledSchemas = { body: new WeakMap<JsonSchema, Schema>(), query: new WeakMap<JsonSchema, Schema>() };

function compiled(schema: JsonSchema, source: Source): Schema {
  const known = compiledSchemas[source].get(schema);
  if (known) return known;
  const made = compile(schema, source);
  compiledSchemas[source].set(schema, made);
  return made;
}

/** Later errors are cut from the response, and finding a near name for each of them would take time. */
function fieldErrors(schema: JsonSchema, { details }: ValidationError): FieldError[] {
  return details.slice(0, LIMITS.fieldErrors.max).map(({ type, path, message }) => ({
    path: path.join('.'),
    message: type === 'object.unknown' ? unknownField(schema, path) : message,
  }));
}

function unknownField(schema: JsonSchema, path: readonly (string | number)[]): string {
  const parent = path
    .slice(0, -1)
    .reduce<JsonSchema>((at, step) => (typeof step === 'number' ? at.items : at.properties?.[step]) ?? {}, schema);
  return STRUCTURE_MESSAGES.unknown(String(path.at(-1)), Object.keys(parent.properties ?? {}));
}
