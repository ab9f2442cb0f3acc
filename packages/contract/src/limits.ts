/** Limits of the service (specification, Limits; the others as decided). Lengths are in characters, sizes in bytes. */
export const LIMITS = {
  page: { default: 20, max: 100 },
  name: { min: 1, max: 200 },
  slug: { max: 63 },
  url: { max: 2048 },
  email: { max: 254 },
  description: { max: 500 },
  /** Body of a /v1 request. */
  bodyBytes: 256 * 1024,
  idempotencyKey: { max: 255, ttlSeconds: 24 * 60 * 60 },
  /** Requests of one credential in a window; the operator may set another number. */
  rate: { requests: 600, windowSeconds: 60 },
  /** Requests of one OAuth app in a window, at each of the token, introspection and revocation endpoints. */
  appRate: { requests: 1200, windowSeconds: 60 },
  /** Requests without a credential from one network, in a window; the operator may set another number. */
  addressRate: { requests: 3_000, windowSeconds: 60 },
  /** Entries of the request log that a tenant keeps, the latest ones; the operator may set other numbers. */
  requestRows: { sandbox: 10_000, production: 100_000 },
  webhookReplays: { unfinished: 5 },
  /** Field errors of one response: how many, and the characters of each path, of each message and of all together. */
  fieldErrors: { max: 50, path: 200, message: 2_000, total: 8_000 },
  /** Characters of the message of an error response. */
  errorMessage: 2_500,
  /** A JSON body: levels of nesting, members of all objects, and values at all levels. */
  json: { depth: 32, members: 500, values: 1_500 },
  /** One connection: requests in progress at once, and all that it may carry before it is closed. */
  connection: { pipelined: 10, requests: 10_000 },
  /** Parameters of one query. */
  query: { parameters: 100 },
  /** Fields of one form. */
  form: { fields: 100 },
  /** How many seconds the tools of the development mode may be asked to wait for work that is due. */
  devWaitSeconds: { min: 1, max: 600 },
  /**
   * Objects that a tenant may have at once; the operator may set other numbers, for all tenants or for one. Anyone can
   * register and get a sandbox, so sandboxes have less.
   */
  quotas: {
    clients: { production: 100_000, sandbox: 1_000 },
    groups: { production: 10_000, sandbox: 200 },
    group_members: { production: 500_000, sandbox: 2_000 },
    group_owners: { production: 50_000, sandbox: 500 },
    users: { production: 50_000, sandbox: 500 },
    locations: { production: 200_000, sandbox: 2_000 },
    roles: { production: 500, sandbox: 50 },
    webhook_endpoints: { production: 50, sandbox: 10 },
    /** OAuth apps belong to the developer of a sandbox. */
    apps: { production: 50, sandbox: 50 },
  },
  /** Changes of one sandbox in a window, over all its credentials. */
  sandboxWrites: { max: 20_000, seconds: 24 * 60 * 60 },
  /** Rows of the history of one sandbox that housekeeping keeps: the latest ones. */
  sandboxHistory: { events: 5_000, deliveries: 10_000, auditEvents: 5_000, deletedClients: 1_000 },
  /**
   * Mails in a window of `seconds`; the operator may set other numbers. Each row has counters of its own, so that the
   * mails of sandboxes cannot use up what production tenants and sign-in links may send to the same address.
   * `recipient`: to one address. `tenant`: about one tenant. `network`: for one IPv4 address or IPv6 /64 of callers.
   */
  mail: {
    production: {
      recipient: { max: 20, seconds: 24 * 60 * 60 },
      tenant: { max: 1000, seconds: 60 * 60 },
      network: { max: 1000, seconds: 60 * 60 },
    },
    sandbox: {
      recipient: { max: 5, seconds: 24 * 60 * 60 },
      tenant: { max: 30, seconds: 60 * 60 },
      network: { max: 60, seconds: 60 * 60 },
    },
    signIn: {
      recipient: { max: 10, seconds: 60 * 60 },
      network: { max: 100, seconds: 60 * 60 },
    },
  },
  /** Capabilities of one role. */
  capabilities: { max: 200 },
  address: { max: 500 },
  /** How long an invitation can be accepted. */
  invitationSeconds: 7 * 24 * 60 * 60,
  webhook: {
    attempts: 7,
    /** One deadline over DNS, connect, TLS, headers and body. */
    timeoutSeconds: 10,
    toleranceSeconds: 300,
    /** A receiver may set another tolerance, up to this: above it a replayed delivery is hardly refused at all. */
    maxToleranceSeconds: 3600,
    /** How much of an answer is read at most, and how much of it is kept. */
    responseBytes: 16 * 1024,
    storedResponseBytes: 1024,
    secretOverlapSeconds: 24 * 60 * 60,
    eventRetentionSeconds: 30 * 24 * 60 * 60,
  },
  accessTokenSeconds: 3600,
  authorizationCodeSeconds: 600,
  /** From its last use; each refresh gives a new one. */
  refreshTokenSeconds: 90 * 24 * 60 * 60,
  /** One consent with all its tokens, at most. */
  grantSeconds: 365 * 24 * 60 * 60,
  codeVerifier: { min: 43, max: 128 },
  app: { redirectUris: 20, secretOverlapSeconds: 7 * 24 * 60 * 60 },
  /** Body of a request to an OAuth endpoint. */
  formBytes: 16 * 1024,
  /** What a tenant may set, and what it is otherwise. */
  launchTokenSeconds: { default: 900, min: 60, max: 3600 },
  /** A receiver refuses a longer one unread. */
  launchTokenBytes: 16 * 1024,
  /** How far behind `exp` a receiver may still take one, at most. */
  launchTokenLeewaySeconds: 300,
  jwksMaxAgeSeconds: 3600,
  /** The login of a command line: how long its codes live, and how long to wait between two polls (RFC 8628). */
  deviceLogin: { seconds: 600, intervalSeconds: 5 },
  /** From its last use, and at most. */
  developerToken: { idleSeconds: 90 * 24 * 60 * 60, seconds: 365 * 24 * 60 * 60 },
} as const;

/**
 * Seconds to wait before attempt n + 1, by n - 1: the six delays between the seven attempts
 * (specification, Retry).
 */
export const RETRY_DELAYS_SECONDS = [30, 120, 600, 3600, 21_600, 86_400] as const;

/** Name of a quota. */
export type QuotaName = keyof typeof LIMITS.quotas;
