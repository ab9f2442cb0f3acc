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
    fix: 'Correct the `url` of the endpoint, or the DNS record of its host.',
  },
  refused: {
    cause: 'The host of the endpoint refused the connection.',
    fix: 'Start the receiver, or correct host and port in the `url` of the endpoint.',
  },
  unreachable: {
    cause: 'No network route leads to the host of the endpoint.',
    fix: 'Check the network and the firewall of the receiver.',
  },
  reset: {
    cause: 'The connection ended before the response was complete.',
    fix: 'Look for a crash or a restart of the receiver, or of a proxy in front of it, at the time of the attempt.',
  },
  tls: {
    cause:
      'No trusted TLS connection was made: the certificate is expired, for another host, or its chain is incomplete.',
    fix: 'Install a valid certificate with all intermediate certificates on the receiver.',
  },
  timeout: {
    cause: 'The receiver sent no complete response within 10 seconds.',
    fix: 'Store the event and answer 2xx at once; process it afterwards.',
  },
  protocol: {
    cause: 'The response is not valid HTTP.',
    fix: 'Check that the port of the `url` is served by an HTTP server, with TLS for https.',
  },
  redirect: {
    cause: 'The receiver answered with a redirect, which is never followed.',
    fix: 'Set the `url` of the endpoint to the address that the redirect names.',
  },
  blocked_address: {
    cause: 'The host of the endpoint resolves to an address that is not public.',
    fix: 'Use a host with a public address. For development use `plat listen`.',
  },
  http_status: {
    cause: 'The connection works, and the receiver answered with a status that is not 2xx.',
    fix: 'Find the delivery id in the log of the receiver and correct the error there. For 401 or 403 compare the signing secret and read the raw body.',
  },
  endpoint_deleted: {
    cause: 'The endpoint was deleted before the attempt.',
    fix: 'Create an endpoint, then replay the event.',
  },
  endpoint_disabled: {
    cause: 'The endpoint was disabled before the attempt.',
    fix: 'Enable the endpoint, then replay the events that it missed.',
  },
  event_deleted: {
    cause: 'The event was deleted before the attempt, because its retention time was over.',
    fix: 'Read the current state of the object by the API.',
  },
  other: {
    cause: 'The request could not be sent for another reason, which `error` names.',
    fix: 'Check the `url` of the endpoint. If the failure continues, report the delivery id to the operator.',
  },
  no_endpoint: {
    cause: 'No enabled endpoint subscribed to this event type when the event was stored.',
    fix: 'Add the event type to an endpoint, then replay the event.',
  },
};
