import { LIMITS, type WebhookDeliveryErrorClass } from '@plat/contract';

/** Texts for tenants. They do not contain resolved addresses, which would map the inner network. */
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
  // The delivery has the status and the body.
  http_status: null,
  endpoint_deleted: 'the endpoint was deleted',
  endpoint_disabled: 'the endpoint was disabled',
  event_deleted: 'the event is kept no longer',
  other: 'the request could not be sent',
};

/** Returns a delivery's `error`: `timeout: no complete answer within 10 s`; null for an HTTP status. */
export function failureText(errorClass: WebhookDeliveryErrorClass | null): string | null {
  const text = errorClass === null ? null : TEXTS[errorClass];
  return text === null ? null : `${errorClass}: ${text}`;
}

/** Thrown instead of a connection to a refused address. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
  readonly code = 'PLAT_BLOCKED_ADDRESS';
}

/** Classifies an error of the network, of TLS or of the HTTP client. */
export function classifyFailure(error: unknown): WebhookDeliveryErrorClass {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // Only some versions of the parser set a code.
  if (error instanceof Error && error.name === 'HTTPParserError') return 'protocol';
  // undici's messages for an unexpected response, and for one that switches protocols.
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
