import { printable } from '@plat/contract';
import type { MailTransport } from './transport.ts';

/**
 * Creates the transport of the development mode. It sends no mail, and prints a block on the screen instead. Texts stay
 * readable.
 */
export function createPrinted(print: (block: string) => void): MailTransport {
  return {
    keepsText: true,
    async send({ to, subject, text }) {
      const lines = [`To: ${to}`, `Subject: ${subject}`, '', ...text.trimEnd().split(/\r?\n/)];
      print(`\n  Mail\n${lines.map((line) => `  | ${printable(line)}`.trimEnd()).join('\n')}\n\n`);
    },
    close: () => undefined,
  };
}
