import { hash } from 'node:crypto';
import { remember } from '../kernel/remember.ts';
import type { Admission } from './admission.ts';

/** Names of the shares of callers that were not found yet. */
export const UNKNOWN = { tokens: 'unknown tokens', apps: 'unknown apps', visitors: 'visitors' } as const;

/**
 * Returns the share of a tenant's pages. It is not the one of the tenant's API keys: its users can open the console
 * while a program of theirs overloads the API.
 */
export function pagesOf(tenantId: string): string {
  return `pages of ${tenantId}`;
}

/** The shares of the credentials that this process has found: a tenant, an app, or the pages of a tenant. */
export interface KnownShares {
  /** Returns the share of a credential; `unknown` for a credential that was not found yet. */
  of(credential: string, unknown: string): string;
  add(credential: string, share: string): void;
  /** Removes a credential that was refused: a replaced key or secret takes no slots of its former share. */
  remove(credential: string): void;
}

/** The parts that admit the look-up of a credential: it is work of the share that the credential had before. */
export interface LookUpServices {
  readonly admission: Admission;
  readonly shares: KnownShares;
}

export function createKnownShares(): KnownShares {
  const known = new Map<string, string>();
  return {
    of: (credential, unknown) => known.get(hashOf(credential)) ?? unknown,
    add(credential, share) {
      const key = hashOf(credential);
      if (known.get(key) !== share) remember(known, key, share);
    },
    remove: (credential) => void known.delete(hashOf(credential)),
  };
}

function hashOf(credential: string): string {
  return hash('sha256', credential, 'base64');
}
