import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { signTestEvent } from '@plat/webhooks/testing';
import { onTestFinished } from 'vitest';
import { emptyFolder } from './plat.ts';

export const SECRET = 'whsec_canary0123456789';
export const OTHER = 'whsec_another0123456789';
export const env = { PLAT_WEBHOOK_SECRET: SECRET };
/** One delivery, signed now. */
export const { event, body, signature, headers, timestamp } = signTestEvent('client.created', {
  secret: SECRET,
  data: { name: 'Grüße' },
});

/** A folder with these files. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = emptyFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** A folder with the body of the delivery. */
export const cwdWithBody = () => folderWith({ 'body.json': body });

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Starts a receiver of deliveries for the duration of a test. By default it accepts them. */
export async function receiver(answer: RequestListener = (_, res) => res.writeHead(204).end()) {
  const received: Got[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    received.push({ headers: req.headers, body: Buffer.concat(chunks).toString('utf8') });
    answer(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, received };
}
