import { Passport } from 'passport';
import { Strategy as BearerStrategy, type IVerifyOptions } from 'passport-http-bearer';
import type { Database } from '../db/database.ts';
import { ApiError } from '../kernel/api-error.ts';
import { findApiKey } from './api-keys.ts';
import { challenge, REALM } from './challenge.ts';
import type { Credential } from './credential.ts';

type Done = (error: unknown, credential?: Credential | false, info?: IVerifyOptions) => void;

/** Passport with the bearer strategy: a valid credential, a refusal, or 403 for a vendor key. */
export function createAuthenticator(db: Database): InstanceType<typeof Passport> {
  const passport = new Passport();
  passport.use(
    new BearerStrategy({ realm: REALM }, (token: string, done: Done) => {
      findApiKey(db, token).then((found) => {
        if (found === 'vendor') done(vendorKeyRefused());
        else done(null, found ?? false);
      }, done);
    }),
  );
  return passport;
}

function vendorKeyRefused(): ApiError {
  return new ApiError(
    'VENDOR_KEY_NOT_ALLOWED_ON_V1',
    'This legacy key belongs to no tenant; use an API key of a tenant',
    {
      headers: challenge('insufficient_scope'),
    },
  );
}
