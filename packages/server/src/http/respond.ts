import type { Response } from 'express';

/** Sends JSON text. Express's own `json` would hash every body for an ETag. */
export function sendJson(res: Response, status: number, text: string): void {
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text);
}
