import type { Request } from 'express';
import { formOf } from '../http/form.ts';
import { refusal } from '../http/validate.ts';

/** Parameters of a request. One without a value counts as absent (RFC 6749, section 3.2). */
export type Parameters = Readonly<Record<string, string>>;

/**
 * Returns the fields of a posted form. The query is ignored.
 * @throws ApiError INVALID_REQUEST
 */
export function formFields(req: Request): Parameters {
  const form = formOf(req);
  if (!Object.values(form).includes('')) return form;
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ''));
}

/**
 * Returns the named fields, which are all required.
 * @throws ApiError INVALID_REQUEST with every missing field
 */
export function requireFields<const Names extends readonly string[]>(
  fields: Parameters,
  names: Names,
): Readonly<Record<Names[number], string>> {
  const missing = names.filter((name) => fields[name] === undefined);
  if (missing.length > 0) {
    throw refusal(
      'INVALID_REQUEST',
      missing.map((path) => ({ path, message: 'is required' })),
    );
  }
  // The check above proves that every field is present.
  return fields as Record<Names[number], string>;
}
