import { LIMITS, type WebhookDeliveryErrorClass } from '@plat/contract';

/** What tenants read. Nothing of what was found behind a name is told: it would map the inner network for them. */
const TEXTS: Readonly<Record<WebhookDeliveryErrorClass, string | null>> = {
  timeout: `no complete answer within ${LIMITS.webhook.timeoutSeconds} s`,
  blocked_address: 'the URL does not lead to a public address',
  dns: 'the host name could not be resolved',
  refused: 'the connection was refused',
  unreachable: 'there is no way to the host',
  reset: 'the connection ended before the answer was complete',
  tls: 'no trusted TLS connection could be made',
  protocol: 'the answer is not valid HTTP',
  redirect: 'redirects are not followed',
  // The status and the body say more.
  http_status: null,
  endpoint_deleted: 'the endpoint was deleted',
  endpoint_disabled: 'the endpoint was disabled',
  event_deleted: 'the event is kept no longer',
  other: 'the request could not be sent',
};

/** A delivery's `error`: `timeout: no complete answer within 10 s`; null where an answer came that counts. */
export function failureText(errorClass: WebhookDeliveryErrorClass | null): string | null {
  const text = errorClass === null ? null : TEXTS[errorClass];
  return text === null ? null : `${errorClass}: ${text}`;
}

/** Thrown before a connection to an address that is not to be reached. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
  readonly code = 'PLAT_BLOCKED_ADDRESS';
}

/** Sorts an error of the network, of TLS or of the HTTP client. */
export function classifyFailure(error: unknown): WebhookDeliveryErrorClass {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // The parser's errors have a code in some versions only.
  if (error instanceof Error && error.name === 'HTTPParserError') return 'protocol';
  // What undici calls an answer that nobody asked for, and one that asks to switch protocols.
  if (error instanceof Error && /^bad (?:response|upgrade)$/.test(error.message)) return 'protocol';
  return BY_CODE[code] ?? BY_PATTERN.find(([pattern]) => pattern.test(code))?.[1] ?? 'other';
}

const BY_CODE: Readonly<Partial<Record<string, WebhookDeliveryErrorClass>>> = {
  PLAT_BLOCKED_ADDRESS: 'blocked_address',
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  EPROTO: 'tls',
  ENETUNREACH: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  // A firewall of this machine.
  EACCES: 'unreachable',
  EPERM: 'unreachable',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
};

const BY_PATTERN: readonly (readonly [pattern: RegExp, errorClass: WebhookDeliveryErrorClass])[] = [
  [/^(?:ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/, 'dns'],
  [
    /^(?:ERR_(?:TLS|SSL|OSSL)_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERROR_IN_C|PATH_LENGTH_|HOSTNAME_|INVALID_(?:CA|PURPOSE))/,
    'tls',
  ],
  [/^(?:HPE_|UND_ERR_RESPONSE)/, 'protocol'],
];
