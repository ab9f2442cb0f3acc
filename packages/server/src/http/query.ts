import { LIMITS } from '@plat/contract';
import type { JsonSchema } from '@plat/contract/schemas';
import type { Request } from 'express';
import { hasMoreThan } from './form.ts';
import { refusal, validate } from './validate.ts';

/**
 * Returns the parameters of the query, checked against a schema.
 * @throws ApiError INVALID_REQUEST
 */
export function validQuery(schema: JsonSchema, req: Request): unknown {
  const { parameters } = LIMITS.query;
  const at = req.url.indexOf('?');
  // Not `split`: the query itself may contain question marks.
  const query = at < 0 ? '' : req.url.slice(at + 1);
  if (hasMoreThan(parameters, query)) {
    throw refusal('INVALID_REQUEST', [{ path: '', message: `must not have more than ${parameters} parameters` }]);
  }
  return validate('INVALID_REQUEST', schema, req.query, 'query');
}
