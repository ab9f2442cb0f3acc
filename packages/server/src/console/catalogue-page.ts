import { ALL_EVENT_TYPES, EVENT_TYPES } from '@plat/contract';
import { SAMPLE_PAYLOADS, SAMPLE_TENANT_ID } from '@plat/webhooks/testing';
import { html } from '../http/html.ts';
import { WEBHOOKS_PATH } from './endpoint-pages.ts';
import type { SignedInPage } from './layout.ts';
import type { PageCall } from './page-route.ts';
import { codeBlock, jsonBlock } from './parts/code.ts';
import { pane } from './parts/pane.ts';
import { table } from './parts/table.ts';

/** Builds the catalogue of event types. The selected one has a sample and the code of a receiver. */
export function cataloguePage({ base, prefix, query, session }: PageCall): SignedInPage {
  const own = `${base}${prefix}${WEBHOOKS_PATH}/catalogue`;
  const selected = query['type'];
  const type = ALL_EVENT_TYPES.find((one) => one === selected);
  return {
    title: 'Event types',
    here: prefix + WEBHOOKS_PATH,
    below: [{ path: prefix + WEBHOOKS_PATH, words: 'Webhooks' }],
    lede: `The ${ALL_EVENT_TYPES.length} types of events, each with a sample and the code of a receiver.`,
    pane:
      type === undefined
        ? null
        : pane({
            title: type,
            isMono: true,
            listPath: own,
            listWords: 'All event types',
            meta: EVENT_TYPES[type],
            body: html`<div class="actions"><a class="btn" href="${base}${prefix}/events?type=${type}">Events of this type</a></div>
<h3>Sample</h3>
${jsonBlock('Sample payload', {
  id: 'evt_01k0z8k3v7e5q2m9t4r6w1x8c0',
  object: 'event',
  type,
  created: '2026-01-31T12:00:00.000Z',
  tenant_id: SAMPLE_TENANT_ID,
  data: SAMPLE_PAYLOADS[type],
})}
${
  session.sandbox &&
  html`<h3>Try it</h3>
${codeBlock({ label: 'plat', text: `plat trigger ${type}` })}`
}
<h3>Receive it</h3>
${Object.entries(RECEIVERS).map(([label, text]) => codeBlock({ label, text: text(type), wraps: false }))}`,
          }),
    body: table({
      caption: 'Event types',
      items: ALL_EVENT_TYPES,
      isCurrent: (one) => one === type,
      columns: [
        {
          words: 'Type',
          isHead: true,
          look: 'nowrap',
          cell: (one) => html`<a class="row-link mono" href="${own}?type=${one}">${one}</a>`,
        },
        { words: 'Fires when', look: 'grow soft', cell: (one) => EVENT_TYPES[one] },
      ],
    }),
  };
}

/** Receivers by framework. Each verifies the signature and handles one type. */
const RECEIVERS: Readonly<Record<string, (type: string) => string>> = {
  Express: (type) => `import { expressWebhook } from '@plat/webhooks/express';
${handlerOf(type)}
// Before express.json(): the signature is over the raw body.
app.post('/webhooks', expressWebhook(options, handle));`,
  Fastify: (type) => `import { fastifyWebhook } from '@plat/webhooks/fastify';
${handlerOf(type)}
app.register(fastifyWebhook(options, handle), { prefix: '/webhooks' });`,
  Hono: (type) => `import { honoWebhook } from '@plat/webhooks/hono';
${handlerOf(type)}
app.post('/webhooks', honoWebhook(options, handle));`,
  Next: (type) => `import { nextWebhook } from '@plat/webhooks/next';
${handlerOf(type)}
export const POST = nextWebhook(options, handle);`,
};

function handlerOf(type: string): string {
  return `
const options = { secrets: process.env['PLAT_WEBHOOK_SECRET'] ?? '' };
const handle = async (event) => {
  if (event.type === '${type}') console.log(event.id, event.data);
};`;
}
