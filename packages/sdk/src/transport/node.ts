import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { AgentOptions } from 'node:https';
import type { Readable, Transform } from 'node:stream';
import type { OptionNames } from '@plat/contract';
import { requireNode } from '../checks/node.ts';
import { checkOptionNames } from '../checks/options.ts';
import { InvalidResponseError } from '../errors/invalid-response-error.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { type IdleConnections, skipKeepAliveHeader, watchIdle } from './idle-connections.ts';
import { RawHeaders } from './raw-headers.ts';
import { MAX_RESPONSE_BYTES, type Transport, type TransportRequest, type TransportResponse } from './transport.ts';

/** Options of {@link nodeTransport}. */
export interface NodeTransportOptions {
  /** Maximum number of simultaneous connections to one origin; 256 when absent. Further requests wait. */
  readonly maxSockets?: number | undefined;
  /**
   * Milliseconds for which an idle connection can be used again; 30,000 when absent. A shorter time in the `Keep-Alive`
   * header of the server has priority.
   */
  readonly idleTimeout?: number | undefined;
  /** True to reuse connections; true when absent. */
  readonly keepAlive?: boolean | undefined;
  /** Further options of the `https.Agent`, for example `ca`, `cert` and `key`. */
  readonly tls?: Omit<AgentOptions, 'keepAlive' | 'maxSockets' | 'scheduling' | 'timeout' | 'proxyEnv'> | undefined;
  /**
   * Proxies under the names of environment variables: `process.env`, or for example
   * `{ HTTPS_PROXY: 'http://proxy.example.com:3128', NO_PROXY: '.internal' }`. An empty object uses no proxy. When absent,
   * the proxies of Node's global agent: those of the environment with `NODE_USE_ENV_PROXY=1` or `--use-env-proxy`. For
   * Node ≥ 22.21 and ≥ 24.5. Not together with `agent`.
   */
  readonly proxyEnv?: ProxyEnvironment | undefined;
  /** Creates the agent for an origin, for example for a proxy with another protocol. */
  readonly agent?: ((origin: string) => Agent) | undefined;
}

/** Environment variables that name proxies; `http_proxy`, `https_proxy` and `no_proxy` too. */
export type ProxyEnvironment = NonNullable<AgentOptions['proxyEnv']>;

/**
 * Creates a transport over `node:http` and `node:https` with persistent connections: about twice as fast as the global
 * fetch. Idle connections do not keep the process running.
 * @throws {@link InvalidArgumentError} with the name of the invalid option, or outside of Node
 */
export function nodeTransport(options: NodeTransportOptions = {}): Transport {
  requireNode('nodeTransport', 'leave the transport out to use fetch');
  checkOptions(options);
  const targets = new Map<string, Target>();
  return {
    send(request) {
      let target = targets.get(request.origin);
      if (!target) {
        target = openTarget(request.origin, options);
        targets.set(request.origin, target);
      }
      return exchange(target, request);
    },
    close() {
      for (const { idle } of targets.values()) idle.dropAll();
    },
  };
}

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

function checkOptions(options: NodeTransportOptions): void {
  const names = {
    maxSockets: true,
    idleTimeout: true,
    keepAlive: true,
    tls: true,
    proxyEnv: true,
    agent: true,
  } satisfies OptionNames<NodeTransportOptions>;
  checkOptionNames('nodeTransport', options, names, AGENT_NAMES);
  const { agent, proxyEnv, maxSockets = 1, idleTimeout = 0 } = options;
  // With fewer, every request would wait for a connection.
  if (!(maxSockets >= 1)) throw new InvalidArgumentError('maxSockets', 'must be a number, 1 or above');
  if (!(idleTimeout >= 0))
    throw new InvalidArgumentError('idleTimeout', 'must be a number of milliseconds, 0 or above');
  if (agent !== undefined && typeof agent !== 'function') {
    throw new InvalidArgumentError(
      'agent',
      'must be a function that returns the agent for an origin: agent: () => myAgent',
    );
  }
  if (proxyEnv === undefined) return;
  if (agent) throw new InvalidArgumentError('proxyEnv', 'and agent exclude each other; give one of the two');
  if (typeof proxyEnv !== 'object' || proxyEnv === null) {
    throw new InvalidArgumentError('proxyEnv', 'must be an object, for example process.env');
  }
  // An older Node ignores the option of its agent, and would send the requests past the proxy.
  if (process.allowedNodeEnvironmentFlags.has('--use-env-proxy')) return;
  throw new InvalidArgumentError('proxyEnv', 'needs Node.js 22.21, 24.5 or later; on this one, give an agent');
}

interface Target {
  readonly request: (options: RequestOptions) => ClientRequest;
  readonly agent: Agent;
  readonly idle: IdleConnections;
  readonly hostname: string;
  readonly port: string;
  readonly host: string;
  /** True if Node may add headers for a proxy, which it does to an object only. */
  readonly takesProxyHeaders: boolean;
}

function openTarget(origin: string, options: NodeTransportOptions): Target {
  const url = new URL(origin);
  // Loaded at first use: most programs use one of the two modules, and the --help of a CLI neither.
  const http = process.getBuiltinModule('node:http');
  const https = url.protocol === 'https:' ? process.getBuiltinModule('node:https') : undefined;
  const { keepAlive = true, maxSockets = 256 } = options;
  // Other agents do not follow NODE_USE_ENV_PROXY; the global one does.
  const proxyEnv = options.proxyEnv ?? globalProxies(http.globalAgent);
  const pool = { keepAlive, maxSockets, scheduling: 'lifo', ...(proxyEnv && { proxyEnv }) } as const;
  const given = options.agent?.(origin);
  const agent = given ?? (https ? new https.Agent({ ...options.tls, ...pool }) : new http.Agent(pool));
  if (!given && keepAlive) skipKeepAliveHeader(agent);
  return {
    // Resolved at each call, so that tools that replace http.request (recorders, mocks) are used.
    request: (requestOptions) => (https ?? http).request(requestOptions),
    agent,
    idle: watchIdle(agent, options.idleTimeout ?? 30_000),
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port || (https ? '443' : '80'),
    host: url.host,
    takesProxyHeaders: !https && proxyEnv !== undefined,
  };
}

/** Returns the proxies of an agent. The types of Node lack its property `options`. */
function globalProxies(agent: Agent & { readonly options?: AgentOptions }): ProxyEnvironment | undefined {
  return agent.options?.proxyEnv;
}

function exchange(target: Target, request: TransportRequest): Promise<TransportResponse> {
  target.idle.dropExpired();
  const flat = flatHeaders(target, request);
  return new Promise((resolve, reject) => {
    const outgoing = target.request({
      agent: target.agent,
      hostname: target.hostname,
      port: target.port,
      method: request.method,
      path: request.path,
      headers: target.takesProxyHeaders ? paired(flat) : flat,
    });
    let answered = false;
    request.onCancel((reason) => outgoing.destroy(reason));
    outgoing.on('upgrade', (_incoming, socket) => {
      socket.destroy();
      reject(switched());
    });
    outgoing.on('response', (incoming) => {
      answered = true;
      if (incoming.statusCode === 101) return void outgoing.destroy(switched());
      const headers = new RawHeaders(incoming.rawHeaders);
      target.idle.learn(headers.get('keep-alive'), incoming.socket);
      read(incoming, headers, resolve, reject);
    });
    outgoing.on('error', (error) => {
      if (!answered && outgoing.reusedSocket && isReset(error)) {
        // The server dropped this idle connection, so the others in the pool are closed too.
        target.idle.dropAll();
        reject(Object.assign(error, { staleConnection: true }));
      } else reject(error);
    });
    outgoing.end(request.body);
  });
}

function switched(): Error {
  return new Error('HTTP 101 to a request that asked for no other protocol');
}

/** Names and values alternate. Node writes this form unchanged, which saves a fifth of the cost of a request. */
function flatHeaders(target: Target, request: TransportRequest): string[] {
  const flat = ['host', target.host];
  for (const name in request.headers) flat.push(name, request.headers[name] ?? '');
  if (request.body !== undefined) flat.push('content-length', String(Buffer.byteLength(request.body)));
  else if (request.method !== 'GET' && request.method !== 'DELETE') flat.push('content-length', '0');
  return flat;
}

function paired(flat: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let i = 0; i < flat.length; i += 2) headers[flat[i] ?? ''] = flat[i + 1] ?? '';
  return headers;
}

function read(
  incoming: IncomingMessage,
  headers: RawHeaders,
  resolve: (response: TransportResponse) => void,
  reject: (error: Error) => void,
): void {
  const status = incoming.statusCode ?? 0;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const body = decompressed(incoming, headers);
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) {
      body.destroy(InvalidResponseError.tooLarge(status, MAX_RESPONSE_BYTES));
    } else chunks.push(chunk);
  });
  body.on('end', () => {
    const [first] = chunks;
    const whole = chunks.length === 1 && first ? first : Buffer.concat(chunks, bytes);
    resolve({ status, headers, body: whole.toString('utf8') });
  });
  body.on('error', (error) => {
    // A decompressor leaves its source unread, and an unread response keeps its connection forever.
    incoming.destroy();
    reject(error);
  });
}

/** The client requests no compression, but a proxy can compress all the same. */
function decompressed(incoming: IncomingMessage, headers: RawHeaders): Readable {
  const encoding = headers.get('content-encoding');
  if (encoding === null || encoding === 'identity') return incoming;
  const zlib = process.getBuiltinModule('node:zlib');
  // As in fetch, the text of an empty or cut body is what arrived. A broken connection is an error of the response.
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
  const gunzip = () => zlib.createGunzip({ finishFlush: Z_SYNC_FLUSH });
  const known: Readonly<Record<string, () => Transform>> = {
    gzip: gunzip,
    'x-gzip': gunzip,
    deflate: () => zlib.createInflate({ finishFlush: Z_SYNC_FLUSH }),
    br: () => zlib.createBrotliDecompress({ finishFlush: BROTLI_OPERATION_FLUSH }),
  };
  const create = known[encoding.trim().toLowerCase()];
  // Another encoding gives no valid JSON: the caller gets that error, with the start of the body.
  if (!create) return incoming;
  const body = create();
  incoming.on('error', (error) => body.destroy(error));
  return incoming.pipe(body);
}

function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE';
}
