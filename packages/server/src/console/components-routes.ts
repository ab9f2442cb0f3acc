import { html } from '../http/html.ts';
import { DAY_MS } from '../kernel/clock.ts';
import { textField } from './forms.ts';
import type { PageRoute } from './page-route.ts';
import { answerBadge, badge, statusBadge } from './parts/badge.ts';
import { codeBlock, jsonBlock } from './parts/code.ts';
import { emptyState } from './parts/empty.ts';
import { attemptChart, hourChart, stats } from './parts/figures.ts';
import { copyId, kv } from './parts/kv.ts';
import { filterBar, TIMES } from './parts/list.ts';
import { problem } from './parts/pane.ts';
import { table } from './parts/table.ts';
import { tabs } from './parts/tabs.ts';
import { ago, instant } from './parts/time.ts';

const PATH = '/console/_components';
const ID = 'req_01k0z8k3v7e5q2m9t4r6w1x8c0';

/** In development mode: each component of the style sheet, drawn once. */
export const componentRoutes: readonly PageRoute<'developer'>[] = [
  {
    room: 'home',
    method: 'GET',
    path: PATH,
    async handle({ base, now }) {
      const iso = new Date(now - 90_000).toISOString();
      return {
        page: {
          title: 'Components',
          lede: 'Each component of the console, drawn once.',
          badges: html` ${badge('State', 'warn')}`,
          meta: copyId(ID),
          actions: html`<button type="button" class="btn btn-primary">Primary action</button><button type="button" class="btn">Action</button><button type="button" class="btn btn-danger">Delete</button>`,
          body: html`<h2>Badges</h2>
<p class="actions">${statusBadge(200)} ${statusBadge(404)} ${statusBadge(500)} ${badge('Succeeded', 'good')} ${badge('Retrying', 'warn')} ${badge('Failed', 'bad')} ${badge('Disabled')} ${answerBadge(null, 'timeout')} <span class="mode mode-sandbox">SANDBOX</span> <span class="mode mode-live">LIVE</span></p>
<h2>Filters</h2>
${filterBar({ own: base + PATH, query: { since: '24h' }, nouns: 'components', filters: [{ name: 'code', label: 'Code' }, ...TIMES] })}
<h2>Table</h2>
${table({
  caption: 'Rows',
  items: ['one', 'two'],
  isCurrent: (item) => item === 'two',
  columns: [
    { words: 'Time', look: 'nowrap muted', cell: () => ago(iso, now) },
    { words: 'Name', isHead: true, look: 'grow', cell: (item) => html`<a class="row-link" href="#main">${item}</a>` },
    { words: 'Status', cell: (item) => statusBadge(item === 'one' ? 201 : 409) },
  ],
})}
<h2>Figures</h2>
${stats([
  { label: 'Success', value: '97.4 %', explained: '601 of 617 attempts' },
  { label: 'Response time p95', value: '291 ms', explained: 'p50 92 ms, limit 10 s' },
])}
${attemptChart([38, 41, 300, 35, 52].map((ms) => ({ ms, isGood: ms < 300 })))}
${hourChart(
  now - DAY_MS,
  [1, 1, 2, 5, 5, 5, 9, 23].map((hour, i) => ({ at: now - hour * 3_600_000, ms: 40, isGood: i !== 4 })),
)}
<h2>Tabs</h2>
${tabs('Parts of this page', [
  { href: '#main', words: 'Locations', isCurrent: true },
  { href: '#main', words: 'Events', isCurrent: false },
])}
<h2 id="job">Progress</h2>
<p><progress class="progress" aria-labelledby="job" max="4000" value="1200"></progress></p>
<h2>Facts</h2>
${kv([
  ['Request', copyId(ID)],
  ['Time', instant(iso)],
])}
<h2>Problem</h2>
${problem('bad', 'The receiver answered 500', 'The connection works.', 'Correct the receiver. Then resend.')}
${problem('warn', 'The slug is used', 'Another client has it.', 'Choose another slug.')}
<div class="notice good"><h3>Endpoint created</h3><p>Copy the secret now. It is shown once.</p></div>
<h2>Code</h2>
${codeBlock({ label: 'plat', text: 'plat me' })}${jsonBlock('Body', { code: 'SLUG_IN_USE', count: 2 })}
<h2>Field</h2>
<div class="form">${textField({ name: 'slug', label: 'Slug', hint: 'Lower-case letters, digits and hyphens.', value: 'Harbour', maxLength: 63, problems: { slug: 'Use lower-case letters.' } })}</div>
<h2>Steps</h2>
<ol class="steps"><li class="done"><b>Make a request</b><span class="muted">${ago(iso, now)}</span></li><li><b>Create a client</b><span class="muted">Not yet</span></li></ol>
${emptyState({ title: 'Empty state', words: 'Why it is empty, and the first step:', command: { label: 'First step', text: 'plat trigger client.created' }, action: html`<a class="btn btn-primary" href="#main">Create endpoint</a>` })}`,
        },
      };
    },
  },
];
