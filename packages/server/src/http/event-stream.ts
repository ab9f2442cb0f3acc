import type { Response } from 'express';

declare global {
  namespace Express {
    interface Locals {
      /** True for a response that lasts until its reader leaves. Its duration is not measured. */
      isStream?: boolean;
    }
  }
}

/** Server-sent events to one reader (HTML Living Standard, section 9.2). */
export interface EventStream {
  /**
   * Sends an event. Returns false without sending it while the reader has too many unread bytes.
   * @param data value that is sent as JSON
   * @param id the browser repeats it in the header Last-Event-ID when it connects again
   */
  send(event: string, data: unknown, id?: string): boolean;
  end(): void;
  /** Calls a function once when the connection has ended, at either side. */
  onEnd(listener: () => void): void;
}

/** Unread bytes of one reader from which on events are left out. */
const MAX_UNREAD_BYTES = 64 * 1024;

/** Interval of comments by which proxies and the server notice an idle or lost connection, in ms. */
const HEARTBEAT_MS = 15_000;

/** Begins a response of events. Browsers connect again 5 s after a lost connection. */
export function openEventStream(res: Response): EventStream {
  res.locals.isStream = true;
  res.statusCode = 200;
  res.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  res.setHeader('Cache-Control', 'no-store');
  // nginx would keep events until its buffer is full.
  res.setHeader('X-Accel-Buffering', 'no');
  // A drain of the server closes each connection after its response.
  res.shouldKeepAlive = false;
  res.write('retry: 5000\n\n');
  let unread = 0;
  const heartbeat = setInterval(() => {
    // A reader that has read nothing for a whole interval is gone.
    if (unread > 0 && res.writableLength >= unread) return void res.destroy();
    res.write(':\n\n');
    unread = res.writableLength;
  }, HEARTBEAT_MS).unref();
  res.once('close', () => clearInterval(heartbeat));
  return {
    send(event, data, id) {
      if (res.writableLength > MAX_UNREAD_BYTES || res.writableEnded) return false;
      res.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      return true;
    },
    end: () => void res.end(),
    onEnd: (listener) => void res.once('close', listener),
  };
}
