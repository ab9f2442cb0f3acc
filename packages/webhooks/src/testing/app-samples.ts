import type { AppEventPayloads, AppEventType, Installation, OAuthApp, RevokedInstallation } from '@plat/contract';
import { SAMPLE_APP_ID, SAMPLE_PAYLOADS, SAMPLE_TENANT_ID } from './samples.ts';

const { app_name, scopes, granted_by } = SAMPLE_PAYLOADS['oauth.app_authorized'];

const BEFORE = '2026-01-15T09:00:00.000Z';
const AT = '2026-01-15T09:30:00.000Z';
/** 90 days after {@link BEFORE}: the end of the refresh token. */
const IDLE_END = '2026-04-15T09:00:00.000Z';

const installation: Installation = {
  object: 'installation',
  id: 'gra_01kf0v6wg0000000000000000n',
  app_id: SAMPLE_APP_ID,
  tenant_id: SAMPLE_TENANT_ID,
  scopes,
  state: 'active',
  granted_by,
  granted_at: BEFORE,
  last_used_at: BEFORE,
  expires_at: IDLE_END,
  revoked_reason: null,
};

const revoked: RevokedInstallation = {
  ...installation,
  state: 'revoked',
  expires_at: AT,
  revoked_reason: 'tenant',
  revoked_by: { type: 'user', id: granted_by },
};

const app: OAuthApp = {
  object: 'app',
  id: SAMPLE_APP_ID,
  name: app_name,
  website: 'https://reports.example',
  redirect_uris: ['https://reports.example/callback'],
  scopes,
  verification: 'verified',
  verification_note: null,
  disabled_by: null,
  previous_secret_expires_at: null,
  created_at: BEFORE,
  updated_at: AT,
};

/** A complete payload for each event type of an app, in the state right after the event. */
export const SAMPLE_APP_PAYLOADS: { readonly [T in AppEventType]: AppEventPayloads[T] } = {
  'installation.authorized': {
    ...installation,
    state: 'pending',
    granted_at: AT,
    last_used_at: null,
    // The code is accepted for ten minutes.
    expires_at: '2026-01-15T09:40:00.000Z',
  },
  'installation.revoked': revoked,
  'installation.scopes_changed': {
    ...installation,
    scopes: [...scopes, 'me:read'],
    previous_id: 'gra_01kf0v6wg0000000000000000p',
    previous_scopes: scopes,
  },
  'installation.reuse_detected': {
    ...revoked,
    revoked_reason: 'refresh_token_reused',
    revoked_by: { type: 'oauth_app', id: SAMPLE_APP_ID },
  },
  'app.verified': app,
  'app.rejected': { ...app, verification: 'rejected', verification_note: 'The website does not describe the app.' },
  'app.disabled': { ...app, disabled_by: 'developer' },
  'app.enabled': app,
  'app.deleted': app,
  'app.secret_rotated': { ...app, previous_secret_expires_at: '2026-01-15T10:30:00.000Z' },
};
