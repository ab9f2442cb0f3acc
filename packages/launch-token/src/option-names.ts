import { misnamedOption } from '@plat/contract';
import { LaunchTokenError } from './errors.ts';

/** Names of the same options in other libraries. */
const OTHER_NAMES = {
  iss: 'issuer',
  aud: 'audience',
  jwks: 'jwksUri',
  jwksUrl: 'jwksUri',
  keysUrl: 'jwksUri',
  leeway: 'leewaySeconds',
  tolerance: 'leewaySeconds',
  toleranceSeconds: 'leewaySeconds',
  clockTolerance: 'leewaySeconds',
  leewayMs: 'leewaySeconds',
  clock: 'now',
  capability: 'entitlement',
  requiredEntitlement: 'entitlement',
  oneTime: 'once',
  guard: 'once',
  execute: 'query',
  client: 'command',
  redis: 'command',
  send: 'command',
  tableName: 'table',
  prefix: 'namespace',
} as const;

/**
 * Refuses missing options and unknown option names.
 * @throws {LaunchTokenError} `OPTION_INVALID`
 */
export function checkNames(caller: string, options: object, names: Readonly<Record<string, true>>): void {
  if (typeof options !== 'object' || options === null) {
    throw new LaunchTokenError('OPTION_INVALID', `${caller} needs an object with options.`);
  }
  const misnamed = misnamedOption(options, names, OTHER_NAMES);
  if (misnamed) throw new LaunchTokenError('OPTION_INVALID', `${caller}: ${misnamed.name} ${misnamed.advice}`);
}
