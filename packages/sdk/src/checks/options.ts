import { misnamedOption, type OptionNames } from '@plat/contract';
import { InvalidArgumentError } from '../errors/usage-errors.ts';

/** Names of the same options in other libraries. */
export const OTHER_NAMES = {
  retries: 'maxRetries',
  retry: 'maxRetries',
  retryCount: 'maxRetries',
  maxNetworkRetries: 'maxRetries',
  numRetries: 'maxRetries',
  url: 'baseUrl',
  host: 'baseUrl',
  endpoint: 'baseUrl',
  baseUri: 'baseUrl',
  apiBase: 'baseUrl',
  serverUrl: 'baseUrl',
  key: 'apiKey',
  token: 'credential',
  auth: 'credential',
  accessToken: 'credential',
  bearerToken: 'credential',
  credentials: 'credential',
  timeoutMs: 'timeout',
  requestTimeout: 'timeout',
  deadline: 'totalTimeout',
  defaultHeaders: 'headers',
  agent: 'transport: nodeTransport({ agent })',
  httpAgent: 'transport: nodeTransport({ agent })',
  httpsAgent: 'transport: nodeTransport({ agent })',
  dispatcher: 'fetch',
  fetchFn: 'fetch',
  httpClient: 'transport',
  abortSignal: 'signal',
  secret: 'clientSecret',
  appId: 'clientId',
  callbackUrl: 'redirectUri',
  redirectUrl: 'redirectUri',
  grantStore: 'store',
  tokenStore: 'store',
  execute: 'query',
  tableName: 'table',
} as const;

/**
 * Refuses options that are not an object, and unknown option names.
 * @param otherNames - names in other libraries, with the option that each means
 * @throws {@link InvalidArgumentError} with the name of the option, and the option that was probably intended
 */
export function checkOptionNames<O extends object>(
  caller: string,
  options: O,
  names: OptionNames<O>,
  otherNames: Readonly<Record<string, string>> = OTHER_NAMES,
): void {
  if (typeof options !== 'object' || options === null) {
    throw new InvalidArgumentError('options', `${caller} needs an object with options`);
  }
  const misnamed = misnamedOption(options, names, otherNames);
  if (misnamed) throw new InvalidArgumentError(misnamed.name, `${misnamed.advice} (${caller})`);
}
