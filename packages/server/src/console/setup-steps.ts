import type { ApiKey, WebhookDelivery, WebhookEndpoint } from '@plat/contract';
import { asCurl } from '../http/call-code.ts';
import { type Html, type HtmlValue, html } from '../http/html.ts';
import { mayEnter } from './access.ts';
import { KEY_PATH } from './key-pages.ts';
import type { PageCall } from './page-route.ts';
import { codeBlock, curlOf } from './parts/code.ts';
import { ago } from './parts/time.ts';

interface Step {
  readonly words: string;
  readonly done: boolean;
  /** When it happened. */
  readonly at?: string | null | undefined;
  readonly how: HtmlValue;
  /** Label → text to paste. */
  readonly commands?: Readonly<Record<string, string>>;
}

interface Happened {
  readonly key: ApiKey | null;
  readonly requestAt: string | null | undefined;
  readonly clientAt: string | null | undefined;
  readonly endpoint: WebhookEndpoint | undefined;
  /** The newest successful attempts. */
  readonly deliveries: readonly WebhookDelivery[];
}

/** Returns the steps from the first request to a handled retry, which complete when they have happened. */
export function stepsOf(call: PageCall, { key, requestAt, clientAt, endpoint, deliveries }: Happened): readonly Step[] {
  const { session, base, prefix, baseUrl } = call;
  const [received] = deliveries;
  const retried = deliveries.find(({ attempt }) => attempt > 1);
  const mode = session.sandbox ? 'test' : 'live';
  const path = base + prefix + KEY_PATH;
  const getKey = !mayEnter(session, 'key', 'change')
    ? 'Ask an owner of the tenant for its API key.'
    : key
      ? html`Use your API key <code>${key.hint}</code>. It was shown once; if you lost it, <a href="${path}">replace it</a>.`
      : html`<a href="${path}">Create an API key</a>. It is shown once.`;
  return [
    {
      words: 'Make a request',
      done: requestAt != null,
      at: requestAt,
      how: html`${getKey} Set these variables in your shell, then check the key with one of the commands.`,
      commands: {
        Variables: `export PLAT_BASE_URL=${baseUrl}\nexport PLAT_API_KEY=plat_${mode}_…`,
        plat: 'npx @plat/cli me',
        curl: curlOf('/me'),
      },
    },
    {
      words: 'Create a client',
      done: clientAt != null,
      at: clientAt,
      how: 'Clients are the customers of the tenant. Your webhook endpoints receive the event of this change.',
      commands: {
        plat: 'npx @plat/cli clients create --name Acme',
        curl: asCurl({ operation: 'clients.create', path: {}, input: { name: 'Acme' }, idempotencyKey: null }),
      },
    },
    {
      words: 'Add a webhook endpoint',
      done: endpoint !== undefined,
      at: endpoint?.created_at,
      how: html`An endpoint is the URL of your receiver. Forward events to this machine${
        mayEnter(session, 'webhooks', 'change') &&
        html`, or <a href="${base}${prefix}/webhooks/new">create an endpoint</a> with a public URL`
      }.`,
      commands: { plat: 'npx @plat/cli listen --to http://localhost:3000/webhooks' },
    },
    {
      words: 'Receive an event',
      done: received !== undefined,
      at: received?.attempted_at,
      how: session.sandbox
        ? 'Your receiver answers 2xx.'
        : 'Every change of the data causes events. Your receiver answers 2xx.',
      // In a production tenant it would change the data of customers.
      commands: session.sandbox ? { plat: 'npx @plat/cli trigger client.created' } : {},
    },
    {
      words: 'Handle a retry',
      done: retried !== undefined,
      at: retried?.attempted_at,
      how: 'Answer 500 once. The event arrives again after 30 s.',
    },
  ];
}

/** Shows the steps with their number of done ones, below the heading with the id `setup`. */
export function setup({ now }: PageCall, steps: readonly Step[]): Html {
  const done = steps.filter((step) => step.done).length;
  return html`<h2 id="setup">Set up your integration</h2><p class="hint">${done} of ${steps.length} done. Each step completes when it has happened.</p>
<ol class="steps section-kv">
${steps.map((step) => stepItem(step, now))}</ol>`;
}

function stepItem({ words, done, at, how, commands = {} }: Step, now: number): Html {
  if (done) {
    return html`<li class="done"><b>${words}</b><span class="muted"><span class="sr">Done. </span>${at ? ago(at, now) : 'Done'}</span></li>\n`;
  }
  const blocks = Object.entries(commands).map(([label, text]) => codeBlock({ label, about: words, text }));
  return html`<li><b>${words}</b><span class="muted">${how}</span>${blocks}</li>\n`;
}
