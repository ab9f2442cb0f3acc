import { LIMITS } from '@plat/contract';
import type { Request } from 'express';
import { hasMoreThan } from './form.ts';
import type { AnyRule } from './rules.ts';
import { refusal, validate } from './validate.ts';

/**
 * The parameters of the query, checked against a rule.
 * @throws ApiError INVALID_REQUEST
 */
export function validQuery(rule: AnyRule, req: Request): unknown {
  const { parameters } = LIMITS.query;
  const at = req.url.indexOf('?');
  // Not `split`: the query itself may contain question marks.
  const query = at < 0 ? '' : req.url.slice(at + 1);
  if (hasMoreThan(parameters, query)) {
    throw refusal('INVALID_REQUEST', [{ path: '', message: `must not have more than ${parameters} parameters` }]);
  }
  return validate('INVALID_REQUEST', rule, req.query);
}
