import { nextWebhook } from '@plat/webhooks/next';

export const runtime = 'edge';

let receive;

export async function POST(request) {
  // The secret is read at the first delivery: `next build` imports the route without it.
  receive ??= nextWebhook({ secrets: process.env.PLAT_WEBHOOK_SECRET }, (event) => {
    console.log(`verified  ${event.type}  ${event.id}`);
  });
  return receive(request);
}
