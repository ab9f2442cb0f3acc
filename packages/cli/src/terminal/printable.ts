import { maskSecrets, printable } from '@plat/contract';

export { printable, printableJson } from '@plat/contract';

/** Text for stderr: without control characters and without secrets. */
export function safeMessage(text: string): string {
  return printable(maskSecrets(text));
}
