import { nextWebhook } from '@plat/webhooks/next';

export const runtime = 'edge';

export const POST = nextWebhook({ secrets: process.env.PLAT_WEBHOOK_SECRET }, (event) => {
  console.log(`verified  ${event.type}  ${event.id}`);
});
