import type { Request } from 'express';
import { formOf } from '../http/form.ts';
import { refusal } from '../http/validate.ts';

/** Parameters of a request; those without a value count as absent (RFC 6749, section 3.2). */
export type Parameters = Readonly<Record<string, string>>;

/**
 * The fields of a posted form, and nothing of the query.
 * @throws ApiError INVALID_REQUEST
 */
export function formFields(req: Request): Parameters {
  return Object.fromEntries(Object.entries(formOf(req)).filter(([, value]) => value !== ''));
}

/**
 * The named fields, each of which has to be there.
 * @throws ApiError INVALID_REQUEST with every one that is missing
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
  // All there, as was just seen.
  return fields as Record<Names[number], string>;
}
