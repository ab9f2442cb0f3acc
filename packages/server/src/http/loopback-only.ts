import type { RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { unknownRoute } from './error-handler.ts';

/** Headers of a proxy. Behind a proxy, a loopback peer address does not prove a local caller. */
export const PROXY_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
];

/**
 * Responds 404 unless the peer address and the Host header are loopback (DNS rebinding), and the base URL too. A proxy
 * on this machine that adds no such header cannot be distinguished from a local caller.
 */
export function loopbackOnly(baseUrl: () => string): RequestHandler {
  return (req, res, next) => {
    const isProxied = PROXY_HEADERS.some((name) => req.headers[name] !== undefined);
    const isLoopbackHost = isLoopbackUrl(`http://${req.headers.host ?? ''}`);
    const isLoopbackPeer = isLoopback(req.socket.remoteAddress ?? '');
    const isAllowed = !isProxied && isLoopbackHost && isLoopbackPeer && isLoopbackUrl(baseUrl());
    return isAllowed ? next() : unknownRoute(req, res, next);
  };
}

/** Returns true if the host of a URL is loopback. */
export function isLoopbackUrl(url: string): boolean {
  const hostname = URL.parse(url)?.hostname ?? '';
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
