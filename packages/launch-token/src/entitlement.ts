import type { LaunchClaims } from './claims.ts';
import { LaunchTokenError } from './errors.ts';

/**
 * Refuses a launch whose entitlements lack a capability (specification, Authentication 13).
 * @param capability a capability id, compared exactly
 * @throws {LaunchTokenError} `NOT_ENTITLED` (403); `OPTION_INVALID` when no capability is named
 */
export function requireEntitlement(claims: Pick<LaunchClaims, 'entitlements'>, capability: string): void {
  checkCapability(capability);
  if (claims.entitlements.includes(capability)) return;
  throw new LaunchTokenError('NOT_ENTITLED', `The receiver requires ${capability}.`);
}

/** @throws {LaunchTokenError} `OPTION_INVALID` */
export function checkCapability(capability: unknown): void {
  if (typeof capability === 'string' && capability !== '') return;
  throw new LaunchTokenError('OPTION_INVALID', 'The capability to gate on must be a string, and not empty.');
}
