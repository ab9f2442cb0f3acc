import type SMTPPool from 'nodemailer/lib/smtp-pool';

/** The options of nodemailer whose values are texts, numbers or flags. */
type OptionOf<T> = { [K in keyof T]-?: Extract<T[K], string | number | boolean> extends never ? never : K }[keyof T];

/** nodemailer ignores these in a query, because the URL itself has them, or needs a socket with the last one. */
type NotInQuery = 'host' | 'port' | 'secure' | 'url' | 'secured';

/** Compiles only with every option that nodemailer reads from the query of a URL. */
const OPTIONS: Readonly<Record<Exclude<OptionOf<SMTPPool.Options>, NotInQuery>, true>> = {
  requireTLS: true,
  ignoreTLS: true,
  opportunisticTLS: true,
  servername: true,
  name: true,
  service: true,
  authMethod: true,
  forceAuth: true,
  lmtp: true,
  proxy: true,
  localAddress: true,
  allowInternalNetworkInterfaces: true,
  connectionTimeout: true,
  greetingTimeout: true,
  socketTimeout: true,
  socketCloseTimeout: true,
  dnsTimeout: true,
  idleTimeout: true,
  pool: true,
  maxConnections: true,
  maxMessages: true,
  maxRequeues: true,
  maxRecipients: true,
  maxResponseSize: true,
  rateLimit: true,
  rateDelta: true,
  logger: true,
  component: true,
  debug: true,
  transactionLog: true,
  attachDataUrls: true,
  disableFileAccess: true,
  disableUrlAccess: true,
};

/** nodemailer ignores options that it does not have, and reads an empty value as false: mail would be sent without TLS. */
export function checkSmtpOptions(options: URLSearchParams, problems: string[]): void {
  for (const [name, value] of options) {
    if (name.startsWith('tls.')) continue;
    if (!Object.hasOwn(OPTIONS, name)) {
      const advice = /tls|ssl|secure/i.test(name)
        ? 'use requireTLS=true, which sends nothing without TLS'
        : `known are ${Object.keys(OPTIONS).join(', ')} and tls.*`;
      problems.push(`SMTP_URL has the unknown option ${name}; ${advice}`);
    } else if (name.endsWith('TLS') && !/^(?:true|false|1|0)$/.test(value)) {
      problems.push(`SMTP_URL: the option ${name} takes true or false`);
    }
  }
}
