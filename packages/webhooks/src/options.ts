import { misnamedOption, type OptionNames } from '@plat/contract';
import { WebhookConfigurationError } from './errors.ts';

/** Names of the same options in other libraries. */
const OTHER_NAMES = {
  secret: 'secrets',
  secrets: 'secret',
  webhookSecret: 'secrets',
  signingSecret: 'secrets',
  toleranceSeconds: 'tolerance',
  toleranceInSeconds: 'tolerance',
  toleranceMs: 'tolerance (in seconds)',
  maxAge: 'tolerance (in seconds)',
  clock: 'now',
  limit: 'maxBodyBytes',
  maxBodySize: 'maxBodyBytes',
  deduplicate: 'dedupe',
  ttl: 'ttlSeconds',
  lease: 'leaseSeconds',
} as const;

/**
 * Refuses missing options and unknown option names.
 * @throws {WebhookConfigurationError} `OPTION_INVALID`
 */
export function checkOptions<O extends object>(caller: string, options: O, names: OptionNames<O>): void {
  if (typeof options !== 'object' || options === null) {
    throw new WebhookConfigurationError('OPTION_INVALID', `${caller} needs an object with options.`);
  }
  const misnamed = misnamedOption(options, names, OTHER_NAMES);
  if (misnamed) throw new WebhookConfigurationError('OPTION_INVALID', `${caller}: ${misnamed.name} ${misnamed.advice}`);
}
