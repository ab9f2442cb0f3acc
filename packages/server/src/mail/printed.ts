import { printable } from '@plat/contract';
import type { MailTransport } from './transport.ts';

/**
 * The way of mail in development: nobody is sent anything, a block on the screen shows what would have been. Texts stay
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
