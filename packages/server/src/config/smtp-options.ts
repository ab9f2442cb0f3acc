import type { ConnectionOptions, SecureVersion } from 'node:tls';
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

/** Host and port come from the URL. Compiles only with every other option of `tls.connect`. */
const TLS_OPTIONS: Readonly<Record<Exclude<OptionOf<ConnectionOptions>, 'host' | 'port' | 'path'>, true>> = {
  rejectUnauthorized: true,
  servername: true,
  minVersion: true,
  maxVersion: true,
  ca: true,
  cert: true,
  key: true,
  passphrase: true,
  pfx: true,
  crl: true,
  ciphers: true,
  sigalgs: true,
  ecdhCurve: true,
  dhparam: true,
  minDHSize: true,
  honorCipherOrder: true,
  allowPartialTrustChain: true,
  clientCertEngine: true,
  privateKeyEngine: true,
  privateKeyIdentifier: true,
  secureOptions: true,
  secureProtocol: true,
  sessionIdContext: true,
  sessionTimeout: true,
  timeout: true,
  requestCert: true,
  requestOCSP: true,
  enableTrace: true,
};

const TLS_VERSIONS: readonly SecureVersion[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];

/** nodemailer ignores options that it does not have, and reads an empty value as false: mail would be sent without TLS. */
export function checkSmtpOptions(options: URLSearchParams, problems: string[]): void {
  for (const [name, value] of options) {
    if (name.startsWith('tls.')) checkTlsOption(name.slice('tls.'.length), value, problems);
    else if (!Object.hasOwn(OPTIONS, name)) {
      const advice = /tls|ssl|secure/i.test(name)
        ? 'use requireTLS=true, which sends nothing without TLS'
        : `known are ${Object.keys(OPTIONS).join(', ')} and tls.*`;
      problems.push(`SMTP_URL has the unknown option ${name}; ${advice}`);
    } else if (name.endsWith('TLS') && !/^(?:true|false|1|0)$/.test(value)) {
      problems.push(`SMTP_URL: the option ${name} takes true or false`);
    }
  }
}

/** nodemailer passes them on, and `tls.connect` ignores those that it does not have. */
function checkTlsOption(name: string, value: string, problems: string[]): void {
  if (!Object.hasOwn(TLS_OPTIONS, name)) {
    const known = Object.keys(TLS_OPTIONS).map((option) => `tls.${option}`);
    problems.push(`SMTP_URL has the unknown option tls.${name}; known are ${known.join(', ')}`);
  } else if (name === 'rejectUnauthorized' && !/^(?:true|false)$/.test(value)) {
    problems.push('SMTP_URL: the option tls.rejectUnauthorized takes true or false');
  } else if (name.endsWith('Version') && !TLS_VERSIONS.some((version) => version === value)) {
    problems.push(`SMTP_URL: the option tls.${name} takes ${TLS_VERSIONS.join(', ')}`);
  }
}
