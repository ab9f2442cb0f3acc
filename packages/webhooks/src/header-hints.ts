import { isEventType } from '@plat/contract';

/**
 * Names the cause of a signature header without `t`. It describes the value and never repeats it, because it is
 * untrusted.
 */
export function hintForShape(header: string): string {
  const value = header.trim();
  if (value.startsWith('evt_')) return 'This is the value of X-Platform-Event-Id; pass that of X-Platform-Signature.';
  if (value.startsWith('del_'))
    return 'This is the value of X-Platform-Delivery-Id; pass that of X-Platform-Signature.';
  if (isEventType(value)) return 'This is the value of X-Platform-Event; pass that of X-Platform-Signature.';
  if (/^x-platform-signature\s*:/i.test(value)) return 'Pass the value of the header without its name.';
  if (/^bearer\s/i.test(value)) return 'This is the value of Authorization; pass that of X-Platform-Signature.';
  if (/^sha(1|256)=/.test(value)) return "This is another service's signature; read X-Platform-Signature.";
  if (/^[0-9a-f]{64}$/i.test(value)) return 'This is a digest alone; pass the whole value of the header.';
  if (/^whsec_/.test(value)) return 'This is a signing secret; it belongs in secrets, not in the header.';
  if (/^["']/.test(value)) return 'The value is in quotes; pass it without them.';
  if (/(^|,)\s*v1=/.test(value)) return 't is missing: pass the whole value of the header.';
  return 'Pass the value of X-Platform-Signature exactly as it arrived.';
}

/** Names the cause of a `t` that is not a canonical decimal. */
export function hintForTimestampText(t: string): string {
  if (t.trim() === '') return 't is empty.';
  if (/^\s|\s$/.test(t)) return 't has a space beside the equals sign.';
  if (/^[+-]/.test(t)) return 't has a sign.';
  if (/^0\d/.test(t)) return 't has a leading zero.';
  if (/^\d+\.\d*$/.test(t)) return 't has a fraction; whole seconds are needed: Math.floor(Date.now() / 1000).';
  if (/^\d+(\.\d+)?e/i.test(t)) return 't has an exponent.';
  if (/^\d{4}-\d{2}-\d{2}/.test(t)) return 't is a date; Unix seconds are needed.';
  return 't must be digits alone: Unix seconds.';
}

/** Names the cause of a header with a valid `t` and no well-formed `v1`. */
export function hintForMissingDigest(header: string): string {
  const values = header.split(',').map((item) => item.trim());
  const v1 = values.find((item) => item.startsWith('v1='))?.slice(3);
  if (v1 === undefined) return 'It has no v1; other schemes do not count.';
  if (v1 === '') return 'Its v1 is empty.';
  if (/^[0-9a-f]+$/i.test(v1)) return `Its v1 has ${v1.length} hex digits instead of 64: it was cut short or added to.`;
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(v1)) return 'Its v1 is base64; a hex digest is needed.';
  return 'Its v1 is not hex.';
}
