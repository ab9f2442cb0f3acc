import type { FieldError } from '@plat/contract';
import type { Schema, ValidationError, ValidationResult } from 'joi';
import { ApiError } from '../kernel/api-error.ts';
import type { AnyRule } from './rules.ts';

/**
 * Checks a value against a rule and returns it as the rule makes it (trimmed, numbers read).
 * @throws {@link ApiError} with every field that is wrong.
 */
export function validate(code: 'INVALID_REQUEST' | 'INVALID_BODY', rule: AnyRule, value: unknown): unknown {
  const { value: valid, error }: ValidationResult<unknown> = prepared(rule).validate(value);
  if (error) throw refusal(code, fieldErrors(error));
  return valid;
}

/** A refusal that names its fields. */
export function refusal(code: 'INVALID_REQUEST' | 'INVALID_BODY', errors: readonly FieldError[]): ApiError {
  const what = code === 'INVALID_BODY' ? 'body' : 'request';
  const first = errors[0];
  const detail = first ? `: ${first.path === '' ? '' : `${first.path} `}${first.message}` : '';
  return new ApiError(code, `The ${what} is not valid${detail}`, { errors });
}

const OPTIONS = {
  abortEarly: false,
  convert: true,
  errors: { wrap: { label: false, array: false }, label: false },
} as const;

const preparedSchemas = new WeakMap<AnyRule, Schema>();

/** Joi works its preferences out anew for each call that brings them along. */
function prepared(rule: AnyRule): Schema {
  let schema = preparedSchemas.get(rule);
  if (!schema) {
    schema = rule.schema.prefs(OPTIONS);
    preparedSchemas.set(rule, schema);
  }
  return schema;
}

function fieldErrors(error: ValidationError): FieldError[] {
  return error.details.map(({ path, message, type, context }) => ({
    path: path.join('.'),
    message:
      type === 'object.unknown'
        ? `is not a known field`
        : type === 'object.oxor'
          ? `${(context?.['peers'] ?? []).join(' and ')} are the same field; give one of them`
          : message.trim(),
  }));
}
