/** Items of a page of a list. */
export const PAGE_LIMITS = { default: 20, max: 100 } as const;

/** An Idempotency-Key: characters, and the time in seconds for which its response is kept. */
export const IDEMPOTENCY_KEY_LIMITS = { max: 255, ttlSeconds: 24 * 60 * 60 } as const;

/**
 * Limits of the service (specification, Limits; further limits by decision). Lengths are in characters, sizes in bytes.
 */
export const LIMITS = {
  page: PAGE_LIMITS,
  name: { min: 1, max: 200 },
  slug: { max: 63 },
  url: { max: 2048 },
  email: { max: 254 },
  description: { max: 500 },
  /** Size of the body of a /v1 request. */
  bodyBytes: 256 * 1024,
  idempotencyKey: IDEMPOTENCY_KEY_LIMITS,
  /** Requests per credential and window. Operators can change it. */
  rate: { requests: 600, windowSeconds: 60 },
  /** Requests per OAuth app and window, at each of the token, introspection and revocation endpoints. */
  appRate: { requests: 1200, windowSeconds: 60 },
  /** Wrong secrets of one OAuth app per network and window. */
  appSecretFailures: { max: 20, seconds: 60 },
  /** Requests without a credential per network and window. Operators can change it. */
  addressRate: { requests: 3_000, windowSeconds: 60 },
  /** Request log entries stored per tenant; the oldest are deleted first. Operators can change it. */
  requestRows: { sandbox: 10_000, production: 100_000 },
  /** Bodies of requests in the log of a sandbox that opted in: bytes of each that are kept, and for how long. */
  requestBodies: { bytes: 16 * 1024, seconds: 24 * 60 * 60 },
  webhookReplays: { unfinished: 5 },
  /**
   * Field errors of one response: their number, and the characters of a path, of a message and of all texts together.
   */
  fieldErrors: { max: 50, path: 200, message: 2_000, total: 8_000 },
  /** Characters of the message of an error response. */
  errorMessage: 2_500,
  /** A JSON body: nesting depth, members of all objects, and values at all levels. */
  json: { depth: 32, members: 500, values: 1_500 },
  /** A connection: requests in progress at the same time, and requests until it is closed. */
  connection: { pipelined: 10, requests: 10_000 },
  /** Parameters of a query. */
  query: { parameters: 100 },
  /** Fields of a form. */
  form: { fields: 100 },
  /** Seconds that the tools of the development mode can wait for due work. */
  devWaitSeconds: { min: 1, max: 600 },
  /**
   * Maximum number of objects per tenant. Operators can change it, for all tenants or for one. Sandboxes have lower
   * quotas, because anyone can register and get one.
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
  /** Changes per sandbox and window, over all its credentials. */
  sandboxWrites: { max: 20_000, seconds: 24 * 60 * 60 },
  /** Rows of history per sandbox that housekeeping keeps; the oldest are deleted first. */
  sandboxHistory: { events: 5_000, deliveries: 10_000, auditEvents: 5_000, deletedClients: 1_000 },
  /**
   * Mails per window of `seconds`. Operators can change it. Each row has its own counters, so that mails of sandboxes
   * cannot use up the limits of production tenants and sign-in links for the same address. `recipient`: to one address.
   * `tenant`: about one tenant. `network`: for one IPv4 address or IPv6 /64 of callers.
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
  /** Capabilities of a role. */
  capabilities: { max: 200 },
  address: { max: 500 },
  /** Lifetime of an invitation. */
  invitationSeconds: 7 * 24 * 60 * 60,
  webhook: {
    attempts: 7,
    /** Deadline of an attempt: DNS, connect, TLS, headers and body together. */
    timeoutSeconds: 10,
    toleranceSeconds: 300,
    /** Maximum signature tolerance that a receiver can set. A longer tolerance would hardly prevent replay attacks. */
    maxToleranceSeconds: 3600,
    /** Bytes of a response that are read, and bytes that are stored. */
    responseBytes: 16 * 1024,
    storedResponseBytes: 1024,
    secretOverlapSeconds: 24 * 60 * 60,
    eventRetentionSeconds: 30 * 24 * 60 * 60,
  },
  accessTokenSeconds: 3600,
  authorizationCodeSeconds: 600,
  /** Lifetime of a refresh token since its last use. Each refresh issues a new token. */
  refreshTokenSeconds: 90 * 24 * 60 * 60,
  /** Maximum lifetime of a consent with all its tokens. */
  grantSeconds: 365 * 24 * 60 * 60,
  codeVerifier: { min: 43, max: 128 },
  app: { redirectUris: 20, secretOverlapSeconds: 7 * 24 * 60 * 60 },
  /** Size of the body of a request to an OAuth endpoint. */
  formBytes: 16 * 1024,
  /** Longest time for which a replaced API key stays valid. */
  apiKeyOverlapSeconds: 7 * 24 * 60 * 60,
  /** Lifetime of a launch token: default, and the range that a tenant can set. */
  launchTokenSeconds: { default: 900, min: 60, max: 3600 },
  /** Maximum size of a launch token. A receiver refuses a longer one without parsing it. */
  launchTokenBytes: 16 * 1024,
  /** Maximum time after `exp` for which a receiver can still accept a launch token. */
  launchTokenLeewaySeconds: 300,
  jwksMaxAgeSeconds: 3600,
  /** The device login (RFC 8628): lifetime of its codes, and seconds between two polls. */
  deviceLogin: { seconds: 600, intervalSeconds: 5 },
  /** Lifetime of a developer token: since its last use, and in total. */
  developerToken: { idleSeconds: 90 * 24 * 60 * 60, seconds: 365 * 24 * 60 * 60 },
} as const;

/**
 * Seconds to wait before attempt n + 1, at index n - 1: the six delays between the seven attempts (specification,
 * Retry).
 */
export const RETRY_DELAYS_SECONDS = [30, 120, 600, 3600, 21_600, 86_400] as const;

/** Name of a quota of {@link LIMITS}. */
export type QuotaName = keyof typeof LIMITS.quotas;
