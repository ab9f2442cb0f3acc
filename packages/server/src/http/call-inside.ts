import { IncomingMessage, type OutgoingHttpHeaders, type RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { RequestHandler } from 'express';
import type { Credential } from '../auth/credential.ts';
import { randomBytes } from '../kernel/random.ts';

/** A call of this server that a page makes for the signed-in account. */
export interface InsideCall {
  /** Null for paths without a credential. */
  readonly caller: Credential | null;
  readonly method: string;
  /** Path with its query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Body as JSON; null without one. */
  readonly body: string | null;
  /** Address of the person. */
  readonly ip: string | null;
  readonly userAgent: string | undefined;
}

export interface InsideAnswer {
  /** Null if the connection ended before the response. */
  readonly status: number | null;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

export type CallInside = (call: InsideCall) => Promise<InsideAnswer>;

const callers = new WeakMap<IncomingMessage, Credential>();

/** Part of the header of calls from inside, which no call from outside contains. */
const SECRET = randomBytes(16, 'calls from inside').toString('hex');

/**
 * Returns a function that sends a call through the whole application without a connection. Its checks, limits, log and
 * errors are those of a call from outside.
 */
export function createCallInside(app: RequestListener): CallInside {
  return ({ caller, method, target, headers, body, ip, userAgent }) => {
    const sent: Buffer[] = [];
    const line = new Duplex({
      read: () => undefined,
      write(chunk: Buffer, _encoding, done) {
        sent.push(chunk);
        done();
      },
    });
    // The two classes use a socket as a stream with the address of the peer.
    const socket = Object.assign(line, { remoteAddress: ip ?? undefined }) as unknown as Socket;
    const req = new IncomingMessage(socket);
    const bytes = Buffer.from(body ?? '');
    // A message that is not complete would end its socket after the body.
    req.complete = true;
    Object.assign(req, { method, url: target, httpVersion: '1.0', httpVersionMajor: 1, httpVersionMinor: 0 });
    const given = {
      ...headers,
      // Limits of wrong credentials tell callers apart by this header.
      ...(caller && { authorization: `Inside ${SECRET}.${caller.id}` }),
      ...(userAgent !== undefined && { 'user-agent': userAgent }),
      ...(body !== null && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
    };
    for (const [name, value] of Object.entries(given)) {
      req.headers[name.toLowerCase()] = value;
      req.rawHeaders.push(name, value);
    }
    if (caller) callers.set(req, caller);
    if (bytes.length > 0) req.push(bytes);
    req.push(null);

    const res = new ServerResponse(req);
    res.assignSocket(socket);
    const { promise, resolve } = Promise.withResolvers<InsideAnswer>();
    res.once('finish', () => {
      res.detachSocket(socket);
      res.emit('close');
    });
    res.once('close', () => {
      const whole = Buffer.concat(sent);
      // A response to HTTP/1.0 is not chunked.
      const at = whole.indexOf('\r\n\r\n');
      const status = res.writableFinished ? res.statusCode : null;
      resolve({ status, headers: res.getHeaders(), body: at < 0 ? '' : whole.toString('utf8', at + 4) });
    });
    app(req, res);
    return promise;
  };
}

/** Returns the account that a call from inside acts for; undefined for any other request. */
export function callerInside(req: IncomingMessage): Credential | undefined {
  return callers.get(req);
}

/** Authenticates calls from inside; runs the given steps for every other request. */
export function orInside(steps: readonly RequestHandler[]): RequestHandler[] {
  return [
    (req, _res, next) => {
      const caller = callerInside(req);
      if (caller) req.user = caller;
      next();
    },
    ...steps.map(
      (step): RequestHandler =>
        (req, res, next) =>
          callers.has(req) ? next() : step(req, res, next),
    ),
  ];
}
