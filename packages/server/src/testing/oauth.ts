import { createHash, randomBytes } from 'node:crypto';
import { ALL_SCOPES, type Scope, type TokenResponse } from '@plat/contract';
import { OPERATOR, openChange, SYSTEM } from '../change.ts';
import type { Database } from '../db/database.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId, seededId } from '../kernel/ids.ts';
import { reviewApp } from '../oauth/app-verification.ts';
import { registerApp } from '../oauth/apps.service.ts';
import { giveConsent, revokeConsent } from '../oauth/consents.service.ts';
import { createDeveloper } from '../sandbox/developers.ts';

export interface TestAppOptions {
  /** Id of the developer who owns the app. Defaults to a new developer. */
  readonly developerId?: string;
  /** Scopes that the app may request. Defaults to all scopes. */
  readonly scopes?: readonly Scope[];
  /** Defaults to `https://app.example/callback`. */
  readonly redirectUris?: readonly string[];
  /** True if the app is verified, so that it works with tenants that are not sandboxes. Defaults to false. */
  readonly verified?: boolean;
}

export interface TestApp {
  readonly appId: string;
  readonly clientSecret: string;
  readonly developerId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The first redirect URI. */
  readonly redirectUri: string;
}

export interface TestConsentOptions {
  readonly app: TestApp;
  readonly tenantId: string;
  /** Id of the owner who consents. Defaults to the owner that every tenant is created with. */
  readonly userId?: string;
  /** Defaults to the scopes of the app. */
  readonly scopes?: readonly Scope[];
  readonly redirectUri?: string;
}

/** Data of an app after an owner has consented: the fields that the token endpoint requires. */
export interface TestConsent {
  readonly grantId: string;
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

/** The OAuth functions of a test server. */
export interface TestOAuth {
  /** Registers an app. */
  createApp(options?: TestAppOptions): Promise<TestApp>;
  /** Gives the consent of a tenant's owner, without browser and session. */
  grant(options: TestConsentOptions): Promise<TestConsent>;
  /** Gives a consent and exchanges its code for tokens by HTTP. */
  grantTokens(options: TestConsentOptions): Promise<TestConsent & { readonly tokens: TokenResponse }>;
  /** Revokes a consent, like an owner does in the console. */
  revokeConsent(tenantId: string, grantId: string): Promise<void>;
  /** Stores the outcome of the platform's review of an app. */
  reviewApp(appId: string, verification: 'verified' | 'rejected'): Promise<void>;
}

interface World {
  readonly db: Database;
  readonly clock: Clock;
  readonly baseUrl: string;
}

export function createTestOAuth({ db, clock, baseUrl }: World): TestOAuth {
  const grant: TestOAuth['grant'] = async ({ app, tenantId, ...options }) => {
    const { userId = seededId(tenantId, 'user', 0), scopes = app.scopes, redirectUri = app.redirectUri } = options;
    const { codeVerifier, codeChallenge } = newPkce();
    const { verification } = await appRow(db, app.appId);
    const given = await unitOfWork(db, async (transaction) => {
      const actor = { type: 'user', id: userId, requestId: null, ip: null } as const;
      const change = openChange({ db, tenantId, now: clock() }, transaction, actor);
      const { appId: id, name } = app;
      return giveConsent(change, { app: { id, name, verification }, userId, scopes, redirectUri, codeChallenge });
    });
    return { ...given, codeVerifier, redirectUri };
  };

  return {
    createApp: async ({ scopes = ALL_SCOPES, redirectUris = ['https://app.example/callback'], ...options } = {}) => {
      const developerId = options.developerId ?? (await newDeveloper(db, clock()));
      const name = `App ${newId('app').slice(-6)}`;
      const { id: appId, client_secret: clientSecret } = await unitOfWork(db, async (transaction) => {
        const developer = await db.models.developer.findByPk(developerId, { transaction, raw: true });
        if (!developer) throw new Error(`there is no developer ${developerId}`);
        const { tenant_id: tenantId } = developer;
        const actor = { type: 'developer', id: developerId, requestId: null, ip: null } as const;
        const change = openChange({ db, tenantId, now: clock() }, transaction, actor);
        return registerApp({ ...change, reserve: async () => undefined }, developerId, {
          name,
          redirect_uris: redirectUris,
          scopes,
        });
      });
      if (options.verified) await review(appId, 'verified');
      return { appId, clientSecret, developerId, name, scopes, redirectUri: redirectUris[0] ?? '' };
    },
    grant,
    async grantTokens(options) {
      const consent = await grant(options);
      const { appId, clientSecret } = options.app;
      const response = await fetch(`${baseUrl}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: consent.code,
          redirect_uri: consent.redirectUri,
          code_verifier: consent.codeVerifier,
          client_id: appId,
          client_secret: clientSecret,
        }),
      });
      if (response.status !== 200) throw new Error(`the code was not exchanged: ${await response.text()}`);
      return { ...consent, tokens: (await response.json()) as TokenResponse };
    },
    revokeConsent: (tenantId, grantId) =>
      unitOfWork(db, async (transaction) => {
        await revokeConsent(openChange({ db, tenantId, now: clock() }, transaction, SYSTEM), grantId);
      }),
    reviewApp: review,
  };

  async function review(appId: string, verification: 'verified' | 'rejected'): Promise<void> {
    await reviewApp(db, { appId, verification, note: null, actor: OPERATOR, now: clock() });
  }
}

/** Returns a code verifier with its challenge (RFC 7636). */
export function newPkce(): { readonly codeVerifier: string; readonly codeChallenge: string } {
  const codeVerifier = randomBytes(32).toString('base64url');
  return { codeVerifier, codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url') };
}

async function newDeveloper(db: Database, now: number): Promise<string> {
  const email = `${newId('developer', now)}@example.com`;
  const { id } = await unitOfWork(db, (transaction) => createDeveloper(db, transaction, { email, actor: SYSTEM, now }));
  return id;
}

async function appRow(db: Database, appId: string) {
  const row = await db.models.oauthApp.findByPk(appId, { raw: true });
  if (!row) throw new Error(`there is no app ${appId}`);
  return row;
}
