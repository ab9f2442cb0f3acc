import type { RateLimit } from '../auth/rate-limit.ts';
import type { Database } from '../db/database.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Sealer } from '../kernel/seal.ts';

/** What the authorization server needs of the rest of the server. */
export interface OAuthServices {
  readonly db: Database;
  readonly clock: Clock;
  readonly sealer: Sealer;
  /** The issuer, without a slash at the end. */
  readonly baseUrl: () => string;
  /** Called after a commit that left deliveries due. */
  readonly wake: () => void;
  readonly rateLimit: Pick<RateLimit, 'counter' | 'byAddress'>;
  /** Requests of one app that shows its secret, at each of the token, introspection and revocation endpoints. */
  readonly appRateLimit: { readonly requests: number; readonly windowSeconds: number };
  /** How long, in ms, a repeated refresh gets the same answer again. */
  readonly refreshGraceMs: number;
}
