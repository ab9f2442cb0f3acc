import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface CertificateOptions {
  /** Names and IPv4 addresses of the certificate. */
  readonly hosts: readonly string[];
  /** Validity; by default from long ago until far in the future. */
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

/**
 * Creates a self-signed certificate. Node generates keys but no certificates; this is the smallest that OpenSSL
 * accepts.
 */
export function selfSigned({ hosts, notBefore = day(2020), notAfter = day(2049) }: CertificateOptions): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid('2a8648ce3d040302'));
  const commonName = sequence(oid('550403'), der(0x0c, Buffer.from(`test ${randomBytes(8).toString('hex')}`)));
  const name = sequence(der(0x31, commonName));
  const names = hosts.map((host) =>
    isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host)),
  );
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(utcTime(notBefore), utcTime(notAfter)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid('551d11'), der(0x04, sequence(...names))))),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toBeSigned, privateKey));
  const certificate = sequence(toBeSigned, algorithm, signature);
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

/** Makes this process trust certificates. Returns a function that ends the trust. */
export function trust(...certificates: readonly Certificate[]): () => void {
  const before = getCACertificates();
  setDefaultCACertificates([...before, ...certificates.map(({ cert }) => cert)]);
  return () => setDefaultCACertificates(before);
}

/** Encodes a value of ASN.1 in DER. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function utcTime(date: Date): Buffer {
  const digits = date.toISOString().replace(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

function day(year: number): Date {
  return new Date(Date.UTC(year, 0, 1));
}
