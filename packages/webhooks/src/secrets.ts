import { misnamedOption, type OptionNames } from '@plat/contract';
import { WebhookConfigurationError } from './errors.ts';

/** A signing secret with its label and tenant. `S` is the type of the secret itself. */
export interface SecretEntry<S = string> {
  /** The whole secret string, including `whsec_`. */
  readonly secret: S;
  /** Your label for the secret. It is returned with each delivery that this secret verified, and can be logged. */
  readonly id?: string;
  /** Id of the only tenant whose events this secret may sign. If absent, it may sign events of any tenant. */
  readonly tenantId?: string;
}

/** One or several signing secrets. A delivery is accepted under any of them. */
export type Secrets<S = string> = S | SecretEntry<S> | readonly (S | SecretEntry<S>)[];

/** The secret that verified a delivery: its position and label, without the secret itself. */
export interface MatchedSecret {
  /** Position in `secrets`, or in the result of the resolver. */
  readonly index: number;
  /** Label of the secret; undefined if it has none. */
  readonly id: string | undefined;
  /** Id of the tenant that the secret is bound to: by its entry, or by the resolver. Undefined if it is not bound. */
  readonly tenantId: string | undefined;
}

/** A secret to try on a delivery. */
export interface Candidate<K> extends MatchedSecret {
  readonly key: K;
}

/**
 * Returns the secrets with their keys.
 * @throws {WebhookConfigurationError} `SECRETS_MISSING`, `SECRET_INVALID`, `OPTION_INVALID`; they name a secret by its
 *   position only
 */
export function readSecrets<S, K>(secrets: unknown, keyOf: (secret: S) => K): readonly Candidate<K>[] {
  const list: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  if (list.length === 0) throw new WebhookConfigurationError('SECRETS_MISSING', 'secrets is empty.');
  return list.map((given, index) => {
    const entry: SecretEntry<unknown> = isEntry(given) ? checkEntry(given, index) : { secret: given };
    checkPresent(entry.secret, index);
    // keyOf refuses values that are not secrets.
    return { key: keyOf(entry.secret as S), index, id: entry.id, tenantId: entry.tenantId };
  });
}

/** Returns the part of a candidate that callers may see. */
export function matchedSecret({ index, id, tenantId }: MatchedSecret): MatchedSecret {
  return { index, id, tenantId };
}

const ENTRY_NAMES: OptionNames<SecretEntry> = { secret: true, id: true, tenantId: true };

/** Returns true for an entry. A KeyObject, the other object that a secret can be, has no member `secret`. */
function isEntry(value: unknown): value is SecretEntry<unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'secret');
}

function checkEntry(entry: SecretEntry<unknown>, index: number): SecretEntry<unknown> {
  const misnamed = misnamedOption(entry, ENTRY_NAMES, { label: 'id', name: 'id', tenant: 'tenantId' });
  if (misnamed) {
    throw new WebhookConfigurationError('OPTION_INVALID', `secrets[${index}].${misnamed.name} ${misnamed.advice}`);
  }
  for (const name of ['id', 'tenantId'] as const) {
    // A tenantId that is undefined by mistake would leave the secret unbound.
    if (Object.hasOwn(entry, name) && (typeof entry[name] !== 'string' || entry[name] === '')) {
      throw new WebhookConfigurationError('OPTION_INVALID', `secrets[${index}].${name} must be a non-empty string.`);
    }
  }
  return entry;
}

function checkPresent(secret: unknown, index: number): void {
  if (secret === undefined || secret === null) {
    throw new WebhookConfigurationError(
      'SECRETS_MISSING',
      `secrets[${index}] is ${secret}: is the environment variable that holds it set?`,
    );
  }
  if (typeof secret === 'string' && secret.trim() === '') {
    throw new WebhookConfigurationError(
      'SECRET_INVALID',
      `secrets[${index}] is empty or blank: is the environment variable that holds it set?`,
    );
  }
}
