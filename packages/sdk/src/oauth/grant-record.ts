import { conceal } from './conceal.ts';
import type { ReauthorizationReason } from './oauth-errors.ts';

/** What is known of a consent, whatever became of it. */
interface Consent {
  /** Made at the exchange: tells this consent from a later one under the same key. */
  readonly grantId: string;
  readonly tenantId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly connectedAt: number;
}

/** Written before a refresh token is spent, so that whoever comes later knows that it may be. */
export interface SpendingMark {
  readonly id: string;
  readonly at: number;
  /** The process, in words. */
  readonly by: string;
  /** `pending`: the request may be under way. `unknown`: it ended without an answer. */
  readonly outcome: 'pending' | 'unknown';
}

/** A grant with tokens. Times are in ms. */
export interface LiveRecord extends Consent {
  readonly status: 'live';
  /** The version under which this pair was stored first: a newer pair has a higher one. */
  readonly generation: number;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** When the pair was asked for. */
  readonly obtainedAt: number;
  readonly expiresAt: number;
  readonly mark: SpendingMark | null;
}

/** The tombstone of a grant: no token is left in it. */
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

/** @throws Error, without the text, when it is no record of this format */
export function decodeRecord(text: string): GrantRecord {
  const value: unknown = parse(text);
  if (!isRecord(value))
    throw new Error('what is stored is no grant of this version of the package: was it kept with `encryption`?');
  return value.status === 'live' ? concealed(value) : value;
}

/** A record that does not show its tokens, however it is printed. */
export function concealed(record: LiveRecord): LiveRecord {
  return conceal(record, { ...record, accessToken: '…', refreshToken: '…' });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What this package wrote: the format says which fields there are, so only those that differ are looked at. */
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
