import { maskSecrets, printable } from '@plat/contract';

export { printable, printableJson } from '@plat/contract';

/** Returns text for stderr: without control characters, with secrets redacted. */
export function safeMessage(text: string): string {
  return printable(maskSecrets(text));
}
