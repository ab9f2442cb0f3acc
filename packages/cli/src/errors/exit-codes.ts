/** Exit codes of the process. Scripts branch on them, so a number never changes its meaning. */
export const EXIT_CODES = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  refused: 3,
  auth: 4,
  notFound: 5,
  conflict: 6,
  rateLimited: 7,
  server: 8,
  network: 9,
  confirmation: 10,
  checkFailed: 11,
  interrupted: 130,
} as const;

/** Meaning of each of {@link EXIT_CODES}. */
export const EXIT_CODE_MEANINGS: { readonly [K in keyof typeof EXIT_CODES]: string } = {
  ok: 'ok',
  unexpected: 'unexpected: a bug in plat, or the result or a file could not be written',
  usage: 'usage: the command line is wrong; nothing was sent',
  refused: 'refused: 400, 403, 413, 422, or an event that no key can cause',
  auth: 'authentication: no key or login, or not accepted: 401',
  notFound: 'not found: 404',
  conflict: 'conflict: 409',
  rateLimited: 'rate limited: 429',
  server: 'server: 5xx, or the response is not from the API, or the server of plat dev ended',
  network: 'network: no response',
  confirmation: 'needs confirmation: --yes or --live',
  checkFailed: 'a check failed: an invalid delivery, or an event that was not accepted',
  interrupted: 'interrupted: Ctrl-C during a list or an export',
};

/** One of {@link EXIT_CODES}. */
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];
