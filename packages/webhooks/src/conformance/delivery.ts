import { signDelivery } from '../sign.ts';
import { SAMPLE_TENANT_ID, signTestEvent } from '../testing.ts';

/** Changes of a case to a valid delivery. */
export interface Changes {
  readonly type?: string;
  readonly id?: string;
  readonly created?: string;
  readonly tenantId?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  /** Signs instead of the receiver's secret. */
  readonly secrets?: readonly string[];
  /** Seconds by which the time of the signature differs from now. */
  readonly shift?: number;
  /** Returns the text to sign and to send for the event. */
  readonly write?: (event: object) => string | Uint8Array;
  /** Returns the bytes to send instead of the signed ones. */
  readonly alter?: (signed: Uint8Array) => Uint8Array;
  /** Returns what to send as `X-Platform-Signature`: null for no header, two for a repeated one. */
  readonly sign?: (valid: string, body: Uint8Array) => string | readonly string[] | null;
}

/** A delivery, ready to be sent. */
export interface Delivery {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/** The secret that signs, and the tenant or the app that the events are of. */
export interface Sender {
  readonly secret: string;
  readonly tenantId: string | undefined;
  readonly appId: string | undefined;
}

/** Builds a delivery as the platform does, with the changes of a case. */
export function buildDelivery({ secret, tenantId, appId }: Sender, changes: Changes = {}): Delivery {
  const usual = appId === undefined ? 'client.created' : 'installation.authorized';
  const { type = usual, secrets = [secret], shift = 0 } = changes;
  const timestamp = Math.floor(Date.now() / 1000) + shift;
  const sample = signTestEvent<string>(type, {
    timestamp,
    tenantId: changes.tenantId ?? tenantId ?? SAMPLE_TENANT_ID,
    ...(appId !== undefined && { appId }),
    ...(changes.id !== undefined && { id: changes.id }),
    created: changes.created ?? new Date().toISOString(),
    data: { ...(type === usual && newObject(appId)), ...changes.data },
  });
  const text = changes.write?.(sample.event) ?? sample.body;
  const signed = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const valid = signDelivery({ body: signed, secrets, timestamp });
  const body = changes.alter?.(signed) ?? signed;
  const signature = changes.sign ? changes.sign(valid, body) : valid;
  const { 'x-platform-signature': _, ...headers } = sample.headers;
  return {
    body,
    headers: {
      'User-Agent': 'Platform-Webhooks/1.0',
      ...headers,
      ...(signature === null ? {} : { 'X-Platform-Signature': signature }),
    },
  };
}

/**
 * Returns the fields of the created client, or of the installation of an app, that differ from those of any other: a
 * receiver may have unique indexes.
 */
export function newObject(appId: string | undefined): { readonly id: string; readonly slug?: string } {
  if (appId !== undefined) return { id: newId('gra') };
  const id = newId('cli');
  return { id, slug: `acme-${id.slice(-12)}` };
}

/** Returns an id in the form of the platform. */
export function newId(prefix: 'evt' | 'cli' | 'gra'): string {
  return `${prefix}_${globalThis.crypto.randomUUID().replaceAll('-', '').slice(0, 26)}`;
}
