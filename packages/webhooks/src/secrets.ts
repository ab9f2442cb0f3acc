import { WebhookConfigurationError } from './errors.ts';

/**
 * The secrets as a list, none of them missing or blank.
 *
 * @throws {WebhookConfigurationError} `SECRETS_MISSING`, `SECRET_INVALID`; they name a secret by its place only
 */
export function listSecrets<T>(secrets: T | readonly T[]): readonly T[] {
  const list: readonly T[] = isList(secrets) ? [...secrets] : [secrets];
  if (list.length === 0) throw new WebhookConfigurationError('SECRETS_MISSING', 'secrets is empty.');
  list.forEach((secret: unknown, at) => {
    if (secret === undefined || secret === null) {
      throw new WebhookConfigurationError(
        'SECRETS_MISSING',
        `secrets[${at}] is ${secret}: is the environment variable that holds it set?`,
      );
    }
    if (typeof secret === 'string' && secret.trim() === '') {
      throw new WebhookConfigurationError(
        'SECRET_INVALID',
        `secrets[${at}] is empty or blank: is the environment variable that holds it set?`,
      );
    }
  });
  return list;
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}
