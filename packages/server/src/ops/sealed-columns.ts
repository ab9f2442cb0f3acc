import { endpointSecretPurpose } from '../events/endpoints/endpoint-secret.ts';
import { STORED_RESPONSE_PURPOSE } from '../http/idempotency.ts';
import { signingKeyPurpose } from '../launch/key-pair.ts';
import { mailTextPurpose } from '../mail/queue-mail.ts';

/** A column whose values are sealed with a master key. */
export interface SealedColumn {
  /** Name of the values for operators. */
  readonly kind: string;
  readonly table: string;
  readonly column: string;
  /** The primary key: one or two columns. */
  readonly key: readonly string[];
  /** Returns the purpose that the value is sealed for; `id` is the last part of its primary key. */
  purposeOf(id: string): string;
  /** Advice for a value that cannot be opened. */
  readonly remedy: string;
}

const ENDPOINT = { table: 'webhook_endpoints', key: ['tenant_id', 'id'], purposeOf: endpointSecretPurpose } as const;

/** All sealed columns. A test compares the list with the migrations and with the callers of `seal`. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  // In this order: a rotation may move a secret to the second column at any time, after it was sealed again.
  {
    ...ENDPOINT,
    kind: 'endpoint secret',
    column: 'secret',
    remedy: 'its deliveries are postponed until the tenant rotates it: POST /v1/webhooks/endpoints/{id}/rotate_secret',
  },
  {
    ...ENDPOINT,
    kind: 'previous endpoint secret',
    column: 'previous_secret',
    remedy: 'it signs until its overlap ends, or until the tenant rotates the secret again',
  },
  {
    kind: 'signing key',
    table: 'signing_keys',
    column: 'private_key',
    key: ['kid'],
    purposeOf: signingKeyPurpose,
    remedy: 'plat-server signing-keys retire <kid> --force; another key signs then',
  },
  {
    kind: 'stored response',
    table: 'idempotency_keys',
    column: 'answer',
    key: ['credential_id', 'key_hash'],
    purposeOf: () => STORED_RESPONSE_PURPOSE,
    remedy: 'it is deleted within 24 hours of its request; until then a retry of the request gets 500',
  },
  {
    kind: 'mail',
    table: 'mails',
    column: 'body',
    key: ['id'],
    purposeOf: mailTextPurpose,
    remedy: 'it fails after a day of attempts; then request it again',
  },
];
