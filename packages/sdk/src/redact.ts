import { maskSecrets } from '@plat/contract';

/** Secrets that may stand in a text, of whatever form. */
export type KnownSecrets = string | readonly string[];

/**
 * Text without secrets: those of the platform by their prefixes, and `known` ones (a credential of another form)
 * wherever they stand. What a server or a proxy echoes back goes through here before it can reach a log.
 */
export function redact(text: string, known: KnownSecrets = []): string {
  let masked = maskSecrets(text);
  for (const secret of typeof known === 'string' ? [known] : known) {
    if (secret !== '') masked = masked.replaceAll(secret, '…');
  }
  return masked;
}

/**
 * A copy of a foreign error that keeps what helps to understand it (name, message, code, stack, the first cause) and
 * drops every other property: HTTP libraries hang whole requests, headers included, on their errors.
 */
export function redactCause(cause: unknown, known?: KnownSecrets, depth = 0): Error {
  if (!(cause instanceof Error)) return new Error(redact(String(cause), known));
  const copy: Error & { code?: string } = new Error(redact(cause.message, known));
  copy.name = redact(cause.name, known);
  if (cause.stack) copy.stack = redact(cause.stack, known);
  const code = errorCode(cause);
  if (code) copy.code = code;
  if (cause.cause !== undefined && depth < 3) copy.cause = redactCause(cause.cause, known, depth + 1);
  return copy;
}

/** The system or library code of an error (`ECONNRESET`, `UND_ERR_SOCKET`), its own or that of its cause. */
export function errorCode(error: unknown, depth = 0): string | undefined {
  if (typeof error !== 'object' || error === null || depth > 3) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'cause' in error ? errorCode(error.cause, depth + 1) : undefined;
}
