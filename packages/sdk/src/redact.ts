import { maskSecrets } from '@plat/contract';

/** Secrets of any form that may occur in a text. */
export type KnownSecrets = string | readonly string[];

/**
 * Redacts secrets in a text: those of the platform by their prefixes, and `known` ones (credentials of another form) at
 * any position. Text that a server or proxy echoes passes through it before any log.
 */
export function redact(text: string, known: KnownSecrets = []): string {
  let masked = maskSecrets(text);
  for (const secret of typeof known === 'string' ? [known] : known) {
    if (secret !== '') masked = masked.replaceAll(secret, '…');
  }
  return masked;
}

/**
 * Copies a foreign error with its useful parts: name, message, code, stack and the first cause. All other properties
 * are dropped, because HTTP libraries attach whole requests with headers to their errors.
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

/** Returns the system or library code of an error (`ECONNRESET`, `UND_ERR_SOCKET`), or that of its cause. */
export function errorCode(error: unknown, depth = 0): string | undefined {
  if (typeof error !== 'object' || error === null || depth > 3) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'cause' in error ? errorCode(error.cause, depth + 1) : undefined;
}
