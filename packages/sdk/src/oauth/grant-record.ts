import { conceal } from './conceal.ts';
import type { ReauthorizationReason } from './oauth-errors.ts';

/** Properties of a consent that any status of its grant has. */
interface Consent {
  /** Created at the exchange. It distinguishes this consent from a later one under the same key. */
  readonly grantId: string;
  readonly tenantId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly connectedAt: number;
}

/** Written before a refresh token is spent. It shows later processes that the token may be spent. */
export interface SpendingMark {
  readonly id: string;
  readonly at: number;
  /** Name of the process. */
  readonly by: string;
  /** `pending`: the request may be running. `unknown`: it ended without a response. */
  readonly outcome: 'pending' | 'unknown';
}

/** A grant with tokens. Times are in ms. */
export interface LiveRecord extends Consent {
  readonly status: 'live';
  /** Store version at which this pair was first written. A newer pair has a higher generation. */
  readonly generation: number;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Time of the request for the pair. */
  readonly obtainedAt: number;
  readonly expiresAt: number;
  readonly mark: SpendingMark | null;
  /** Refresh token of the pair that this grant replaced, until it is revoked. */
  readonly former?: string;
  /** Digest of the refresh token that the grant was imported with. */
  readonly importedFrom?: string;
}

/** The tombstone of a grant. It contains no tokens. */
export interface EndedRecord extends Consent {
  readonly status: 'ended';
  readonly reason: Exclude<ReauthorizationReason, 'not_connected'>;
  readonly endedAt: number;
}

export type GrantRecord = LiveRecord | EndedRecord;

export function endRecord(record: GrantRecord, reason: EndedRecord['reason'], endedAt: number): EndedRecord {
  const { grantId, tenantId, userId, scopes, connectedAt } = record;
  return { status: 'ended', grantId, tenantId, userId, scopes, connectedAt, reason, endedAt };
}

export function encodeRecord(record: GrantRecord): string {
  return JSON.stringify({ format: 1, ...record });
}

/** @throws Error, without the text, if it is not a record of this format */
export function decodeRecord(text: string): GrantRecord {
  const value: unknown = parse(text);
  if (!isRecord(value))
    throw new Error('the stored text is not a grant of this package version: was it stored with `encryption`?');
  return value.status === 'live' ? concealed(value) : value;
}

/** Returns a record whose printed forms do not show its tokens. */
export function concealed(record: LiveRecord): LiveRecord {
  const former = record.former === undefined ? {} : { former: '…' };
  return conceal(record, { ...record, accessToken: '…', refreshToken: '…', ...former });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Checks the fields that differ. The format number determines the other fields, because this package wrote them. */
function isRecord(value: unknown): value is GrantRecord {
  if (typeof value !== 'object' || value === null || !('format' in value) || value.format !== 1) return false;
  if (!('status' in value) || !('grantId' in value) || typeof value.grantId !== 'string') return false;
  if (value.status === 'ended') return 'reason' in value && typeof value.reason === 'string';
  return (
    value.status === 'live' &&
    ['accessToken', 'refreshToken'].every((name) => typeof Reflect.get(value, name) === 'string') &&
    ['generation', 'obtainedAt', 'expiresAt'].every((name) => typeof Reflect.get(value, name) === 'number')
  );
}
