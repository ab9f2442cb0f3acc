import type { Advice } from '../errors/cli-error.ts';

/** Returns the likely cause of a failed TLS handshake, and its fix if that is not the address; null for other errors. */
export function tlsAdvice(code: string): Advice | null {
  if (/^(EPROTO|ERR_SSL_WRONG_VERSION_NUMBER)$/.test(code)) {
    return { hint: 'The answer is not TLS: the port serves http, or a proxy answers.' };
  }
  if (code === 'CERT_HAS_EXPIRED') {
    return { hint: 'The certificate of the server has expired, or the clock of this machine is wrong.' };
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return { hint: 'The certificate of the server is for another host.' };
  }
  if (/^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code)) {
    return {
      hint: 'This machine does not trust the certificate of the server.',
      next: 'If its authority is your own, set NODE_EXTRA_CA_CERTS to the file with its certificate.',
    };
  }
  return null;
}
