import type { WebhookDeliveryErrorClass } from './generated.ts';

/** Cause and fix of a failed delivery, as Markdown in one line. */
export interface DeliveryErrorReference {
  /** Conditions under which an attempt fails in this way. */
  readonly cause: string;
  /** Action that lets the next attempt succeed. */
  readonly fix: string;
}

/** A reason for which an event did not arrive: the error class of an attempt, or `no_endpoint` if there was none. */
export type DeliveryProblemCode = WebhookDeliveryErrorClass | 'no_endpoint';

/** Texts of every reason for which an event did not arrive. `docs/errors.md`, `plat explain` and traces show them. */
export const DELIVERY_ERROR_REFERENCE: Readonly<Record<DeliveryProblemCode, DeliveryErrorReference>> = {
  dns: {
    cause: 'The host name of the endpoint could not be resolved.',
    fix: 'Correct the host name in the `url` of the endpoint, or its DNS records.',
  },
  refused: {
    cause: 'No process listens on the port of the endpoint: the connection was refused.',
    fix: 'Start the receiver, or correct host and port in the `url` of the endpoint.',
  },
  unreachable: {
    cause: 'There is no route to the host of the endpoint.',
    fix: 'Correct the address, or the routes and the firewall of the receiver.',
  },
  reset: {
    cause: 'The connection ended before the response was complete.',
    fix: 'Look for crashes, proxies and limits in front of the receiver at the time of the attempt.',
  },
  tls: {
    cause:
      'No trusted TLS connection was made: the certificate has expired, is for another host, has an unknown issuer or lacks its intermediates. Or the version is before TLS 1.2.',
    fix: 'Run `openssl s_client -connect host:443 -servername host` to see the cause, then correct the certificate of the receiver.',
  },
  timeout: {
    cause: 'The receiver sent no complete response within 10 s.',
    fix: 'Look at `timings`. Without `remote_address` no connection was established (a firewall?). Without `first_byte_ms` the receiver works too long: let it answer 2xx first and work afterwards.',
  },
  protocol: {
    cause: 'The response is not valid HTTP/1.1, or its headers are longer than 16 KiB.',
    fix: 'Check which program answers at the `url` of the endpoint.',
  },
  redirect: {
    cause: 'The receiver answered with a redirect, which is not followed.',
    fix: 'Set the `url` of the endpoint to the target of the redirect.',
  },
  blocked_address: {
    cause: 'The URL does not lead to a public address. Nothing was sent, and the address is not disclosed.',
    fix: 'Register a public URL. In development, `plat listen` reaches your machine.',
  },
  http_status: {
    cause: 'The connection works, and the receiver answered with a status that is not 2xx.',
    fix: 'Look at `response_status` and `response_body`, then search the log of the receiver for the delivery id. For 401 or 403 compare the signing secret, and verify the raw body.',
  },
  endpoint_deleted: {
    cause: 'The endpoint was deleted before the attempt.',
    fix: 'Create an endpoint and replay the event, if it is still needed.',
  },
  endpoint_disabled: {
    cause: 'The endpoint was disabled before the attempt.',
    fix: 'Enable the endpoint, then replay the events that it missed.',
  },
  event_deleted: {
    cause: 'The event is older than 30 days and was deleted.',
    fix: 'Read the present state of the object by the API.',
  },
  other: {
    cause: 'The request could not be sent for another reason. This should not happen.',
    fix: 'Send the id of the delivery to the operator.',
  },
  no_endpoint: {
    cause: 'No enabled endpoint subscribed to the type of the event when it was stored.',
    fix: 'Add the type to the `events` of an endpoint, then replay the event.',
  },
};
