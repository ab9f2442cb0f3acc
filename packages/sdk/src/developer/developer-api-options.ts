import type { OptionNames } from '@plat/contract';
import type { Engine } from '../call/engine.ts';
import { checkOptionNames, OTHER_NAMES } from '../checks/options.ts';
import { CLIENT_OPTION_NAMES, type ClientOptions, createEngine } from '../client-options.ts';
import type { CredentialSource } from '../credential.ts';
import { readVariable, VARIABLES } from '../environment.ts';

/** Options of a {@link DeveloperApi}. */
export interface DeveloperApiOptions extends ClientOptions {
  /**
   * Developer token of `plat login`, `plat_dv_…`, or a function that returns it; the environment variable
   * `PLAT_DEVELOPER_TOKEN` when absent.
   */
  readonly token?: CredentialSource | undefined;
}

/**
 * Returns the checked settings with their defaults, and with address and token from the environment where they are
 * absent.
 * @throws {@link InvalidArgumentError} with the name of the invalid option, never its secret
 */
export function resolveOptions(options: DeveloperApiOptions): Engine {
  checkOptionNames('DeveloperApi', options, OPTION_NAMES, NAMES_ELSEWHERE);
  const { baseUrl = readVariable(VARIABLES.baseUrl), token = readVariable(TOKEN_VARIABLE) } = options;
  return createEngine({ ...options, baseUrl }, { option: 'token', value: token, variable: TOKEN_VARIABLE });
}

const TOKEN_VARIABLE = 'PLAT_DEVELOPER_TOKEN';

const OPTION_NAMES: OptionNames<DeveloperApiOptions> = { token: true, ...CLIENT_OPTION_NAMES };

/** This client has one option for the credential. */
const NAMES_ELSEWHERE = {
  ...OTHER_NAMES,
  ...{ apiKey: 'token', key: 'token', credential: 'token', credentials: 'token', auth: 'token' },
  ...{ accessToken: 'token', bearerToken: 'token', developerToken: 'token' },
};
