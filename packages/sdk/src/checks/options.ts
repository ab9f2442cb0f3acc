import { misnamedOption, type OptionNames } from '@plat/contract';
import { InvalidArgumentError } from '../errors/usage-errors.ts';

/** Names of the same options in other libraries. */
const OTHER_NAMES = {
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
  logger: 'hooks',
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

/** Names of the same options in the agents of Node and of libraries. */
const AGENT_NAMES = {
  keepAliveMsecs: 'idleTimeout',
  timeout: 'idleTimeout',
  maxConnections: 'maxSockets',
  ca: 'tls: { ca }',
  cert: 'tls: { cert }',
  key: 'tls: { key }',
  rejectUnauthorized: 'tls: { rejectUnauthorized }',
  httpAgent: 'agent',
  httpsAgent: 'agent',
  proxy: 'agent',
} as const;

/**
 * Refuses options that are not an object, and unknown option names.
 * @throws {@link InvalidArgumentError} with the name of the option, and the option that was probably intended
 */
export function checkOptionNames<O extends object>(caller: string, options: O, names: OptionNames<O>): void {
  if (typeof options !== 'object' || options === null) {
    throw new InvalidArgumentError('options', `${caller} needs an object with options`);
  }
  const misnamed = misnamedOption(options, names, caller === 'nodeTransport' ? AGENT_NAMES : OTHER_NAMES);
  if (misnamed) throw new InvalidArgumentError(misnamed.name, `${misnamed.advice} (${caller})`);
}
