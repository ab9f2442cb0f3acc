import { isMailAddress } from '../kernel/mail-address.ts';

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
  } else checkTls(parsed.searchParams, problems);
  if (sender === '') problems.push('MAIL_FROM is required with SMTP_URL: the address that mail comes from');
  return { smtpUrl, from: { name, address } };
}

const TLS_OPTIONS: ReadonlySet<string> = new Set(['requireTLS', 'ignoreTLS', 'opportunisticTLS', 'secure']);

/** nodemailer ignores options that it does not have, and reads an empty value as false: mail would be sent without TLS. */
function checkTls(options: URLSearchParams, problems: string[]): void {
  for (const [name, value] of options) {
    if (!/tls|ssl|secure/i.test(name) || name.startsWith('tls.')) continue;
    if (!TLS_OPTIONS.has(name)) {
      problems.push(`SMTP_URL has the unknown option ${name}; use requireTLS=true, which sends nothing without TLS`);
    } else if (!/^(?:true|false|1|0)$/.test(value)) {
      problems.push(`SMTP_URL: the option ${name} takes true or false`);
    }
  }
}
