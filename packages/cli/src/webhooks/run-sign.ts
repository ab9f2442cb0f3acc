import { signDelivery } from '@plat/webhooks';
import type { Command } from 'commander';
import { quoted } from '../command/command-line.ts';
import { type CommandContext, print } from '../command/context.ts';
import { readInputBytes } from '../files/input-file.ts';
import { printResult } from '../output/result.ts';
import { newDeliveryId } from './delivery-id.ts';
import { identify } from './event-body.ts';
import { readSecrets } from './secrets.ts';

interface SignOptions {
  /** Unix seconds. */
  readonly timestamp?: number;
  /** URL for the printed curl command. */
  readonly curl?: string;
}

/** Prints the value of X-Platform-Signature for a body, or a command that sends it. */
export async function runSign(context: CommandContext, command: Command, file: string): Promise<void> {
  const { timestamp = Math.floor(Date.now() / 1000), curl: url }: SignOptions = command.opts();
  const secrets = await readSecrets(context.io, command);
  const body = await readInputBytes(context.io, 'the body', file);
  const signature = signDelivery({ body, secrets, timestamp });
  const curl = url === undefined ? undefined : curlOf(url, file, body, signature);
  if (context.flags.json) {
    await printResult(context, {
      object: 'webhook_signature',
      timestamp,
      signature,
      ...(curl !== undefined && { curl }),
    });
  } else await print(context, `${curl ?? signature}\n`);
}

/** Returns a command for a POSIX shell. It contains the signature, not the secret. */
function curlOf(url: string, file: string, body: Uint8Array, signature: string): string {
  const event = identify(body);
  const headers = [
    'Content-Type: application/json',
    ...(event ? [`X-Platform-Event: ${event.eventType}`, `X-Platform-Event-Id: ${event.eventId}`] : []),
    `X-Platform-Signature: ${signature}`,
    `X-Platform-Delivery-Id: ${newDeliveryId()}`,
  ];
  return [
    `curl -i ${quoted(url)}`,
    ...headers.map((header) => `-H ${quoted(header)}`),
    `--data-binary ${quoted(`@${file}`)}`,
  ].join(' \\\n  ');
}
