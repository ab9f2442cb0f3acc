/** The values of a request's `outcome`. `failed`: with a status of 400 or more, or without a response. */
export const REQUEST_OUTCOMES = ['succeeded', 'failed'] as const;

/** HTTP methods by which requests can be filtered. */
export const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Types of the credential of a request. */
export const CREDENTIAL_TYPES = ['api_key', 'oauth_token', 'session'] as const;
