import type { ReceiverTestCommandOptions } from '../command/receiver-test-options.ts';

/** Issuer of the test unless `--issuer` sets another one. */
export const TEST_ISSUER = 'http://127.0.0.1:4015';

/** Options of `plat launch test`. */
export interface LaunchTestOptions extends ReceiverTestCommandOptions {
  readonly audience: string;
  readonly issuer?: string;
  readonly entitlement?: string;
  readonly once?: boolean;
  readonly claims?: string;
}
