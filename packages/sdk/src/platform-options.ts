import type { OptionNames } from '@plat/contract';
import type { Engine } from './call/engine.ts';
import type { Warn } from './call/hooks.ts';
import { checkOptionNames } from './checks/options.ts';
import { CLIENT_OPTION_NAMES, type ClientOptions, createEngine } from './client-options.ts';
import type { CredentialSource } from './credential.ts';
import { readVariable, VARIABLES } from './environment.ts';
import { InvalidArgumentError } from './errors/usage-errors.ts';

/** Options of a {@link Platform}. */
export interface PlatformOptions extends ClientOptions {
  /**
   * API key, `plat_live_…` or `plat_test_…`; the environment variable `PLAT_API_KEY` when absent. Same as `credential`;
   * give one of the two.
   */
  readonly apiKey?: string | undefined;
  /** Credential for `/v1`: an API key or access token, a function that returns one, or an object that renews it. */
  readonly credential?: CredentialSource | undefined;
}

/** Returns the options with address and key from the environment where they are absent. */
export function withEnvironment(options: PlatformOptions): PlatformOptions {
  // Refused later, with a message.
  if (typeof options !== 'object' || options === null) return options;
  const baseUrl = options.baseUrl ?? readVariable(VARIABLES.baseUrl);
  if (options.apiKey !== undefined || options.credential !== undefined) return { ...options, baseUrl };
  return { ...options, baseUrl, apiKey: readVariable(VARIABLES.apiKey) };
}

/**
 * Returns the checked settings with their defaults.
 * @throws {@link InvalidArgumentError} with the name of the invalid option, never its secret
 */
export function resolveOptions(options: PlatformOptions, warn?: Warn): Engine {
  checkOptionNames('Platform', options, OPTION_NAMES);
  const { apiKey, credential } = options;
  if (apiKey !== undefined && credential !== undefined) {
    throw new InvalidArgumentError('apiKey', 'and credential are the same option; give one of the two');
  }
  const given =
    credential === undefined ? { option: 'apiKey', value: apiKey } : { option: 'credential', value: credential };
  return createEngine(options, { ...given, variable: VARIABLES.apiKey }, warn);
}

const OPTION_NAMES: OptionNames<PlatformOptions> = { apiKey: true, credential: true, ...CLIENT_OPTION_NAMES };
