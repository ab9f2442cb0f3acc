import type { RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { unknownRoute } from './error-handler.ts';

/** What tells that a proxy stands between, so that a loopback peer says nothing about who asks. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/**
 * Responds 404 unless the peer address and the Host header are loopback (DNS rebinding), and the base URL is too: a proxy on
 * this machine that sends no header of its own cannot be told from a local caller.
 */
export function onlyHere(baseUrl: () => string): RequestHandler {
  return (req, res, next) => {
    const isProxied = PROXY_HEADERS.some((name) => req.headers[name] !== undefined);
    const isNamedHere = isLoopbackUrl(`http://${req.headers.host ?? ''}`);
    const isPeerHere = isLoopback(req.socket.remoteAddress ?? '');
    const isHere = !isProxied && isNamedHere && isPeerHere && isLoopbackUrl(baseUrl());
    return isHere ? next() : unknownRoute(req, res, next);
  };
}

/** Whether a URL names this machine and no other. */
export function isLoopbackUrl(url: string): boolean {
  const hostname = URL.parse(url)?.hostname ?? '';
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
