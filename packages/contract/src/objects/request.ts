/** The values of a request's `outcome`. `failed`: with a status of 400 or more, or without a response. */
export const REQUEST_OUTCOMES = ['succeeded', 'failed'] as const;

/** HTTP methods that requests can be listed by. */
export const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
