import { isIP } from 'node:net';
import type { RequestHandler } from 'express';

/**
 * Removes all text from X-Forwarded-For that is no address. A trusted range may contain callers too, and they can send
 * any text. The address of a caller is stored, so a text would fail in the database.
 */
export const readForwardedFor: RequestHandler = ({ headers }, _res, next) => {
  const given = headers['x-forwarded-for'];
  if (typeof given === 'string') headers['x-forwarded-for'] = addressesOf(given).join(', ');
  next();
};

/** Returns the last addresses of the list. Entries before one that is no address come from an unknown sender. */
function addressesOf(list: string): readonly string[] {
  const entries = list.split(',').map(addressOf);
  return entries.slice(entries.lastIndexOf(null) + 1).filter((address) => address !== null);
}

/** Some proxies add the port of the caller: `203.0.113.7:4711`, `[2001:db8::7]:4711`. A zone has no meaning here. */
function addressOf(entry: string): string | null {
  const address = entry
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$|^([^:]*):\d+$/, '$1$2')
    .replace(/%.*$/, '');
  return isIP(address) === 0 ? null : address;
}
