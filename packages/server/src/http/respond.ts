import type { Response } from 'express';

declare global {
  namespace Express {
    interface Locals {
      /** The body of a JSON response. */
      sent?: string;
    }
  }
}

/** Sends JSON text. Express's own `json` would hash every body for an ETag. */
export function sendJson(res: Response, status: number, text: string): void {
  res.locals.sent = text;
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text);
}
