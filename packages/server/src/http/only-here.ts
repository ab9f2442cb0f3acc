import type { RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { unknownRoute } from './error-handler.ts';

/** What tells that a proxy stands between, so that a loopback peer says nothing about who asks. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/**
 * For whoever sits at this machine; for all others there is no such page. A name that only resolves to this machine is a
 * page of somebody else's asking.
 */
export const onlyHere: RequestHandler = (req, res, next) => {
  const isProxied = PROXY_HEADERS.some((name) => req.headers[name] !== undefined);
  const { hostname } = URL.parse(`http://${req.headers.host ?? ''}`) ?? { hostname: '' };
  const isNamedHere = hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
  const isHere = !isProxied && isNamedHere && isLoopback(req.socket.remoteAddress ?? '');
  return isHere ? next() : unknownRoute(req, res, next);
};

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
