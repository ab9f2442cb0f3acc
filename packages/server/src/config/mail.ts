import { isMailAddress } from '../kernel/mail-address.ts';
import { checkSmtpOptions } from './smtp-options.ts';

export interface MailConfig {
  /** `smtp://` or `smtps://`, with the options that nodemailer reads from a URL. */
  readonly smtpUrl: string;
  /** Sender of all mail. */
  readonly from: { readonly name: string; readonly address: string };
}

export function readMail(smtpUrl: string | undefined, sender: string, problems: string[]): MailConfig | null {
  const [, name = '', address = sender] = /^([^<>"\p{Cc}]*?)\s*<([^<>]*)>$/u.exec(sender) ?? [];
  if (sender !== '' && !isMailAddress(address)) {
    problems.push('MAIL_FROM must look like plat@example.com or Platform <plat@example.com>');
  }
  if (smtpUrl === undefined) return null;
  const parsed = URL.parse(smtpUrl);
  if (!parsed || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === '') {
    // The value is not repeated: it contains a password.
    problems.push('SMTP_URL must look like smtps://user:password@host:465 or smtp://host:587');
  } else checkSmtpOptions(parsed.searchParams, problems);
  if (sender === '') problems.push('MAIL_FROM is required with SMTP_URL: the address that mail comes from');
  return { smtpUrl, from: { name, address } };
}
