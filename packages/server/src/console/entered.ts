import type { Request } from 'express';
import { CSRF_FIELD, isOwnForm } from '../accounts/session.ts';
import { type HtmlValue, html } from '../http/html.ts';
import { labelOf } from './parts/label.ts';
import { copyText } from './texts.ts';

/** Paths of the forms that take more than a click to fill in. */
const FORM = /\/(?:new|edit|explorer)$/;

/** Fields that no person entered. */
const HIDDEN = [CSRF_FIELD, 'seen', 'operation', 'as', 'confirmed'];

/**
 * Returns what a person entered in a refused form, by name. Empty for other requests, and for a form of another site,
 * whose words must not look like those of the person.
 */
export function enteredIn(req: Request): Map<string, string> {
  const body: unknown = req.body;
  if (req.method !== 'POST' || !FORM.test(req.path) || !Buffer.isBuffer(body) || !isOwnForm(req)) return new Map();
  const fields = [...new URLSearchParams(body.toString('utf8'))].filter(
    ([name, value]) => value !== '' && !HIDDEN.includes(name),
  );
  const chosen = fields.flatMap(([name, value]) => (value === 'on' ? [name] : []));
  const texts = fields
    .filter(([, value]) => value !== 'on')
    .map(([name, value]) => [labelOf(name), value.replace(/\r\n?/g, '\n')] as const);
  return new Map([...texts, ...(chosen.length > 0 ? [['Selected', chosen.join('\n')] as const] : [])]);
}

/** Shows what a person entered in a form whose page cannot be shown again: going back would lose it. */
export function enteredFields(req: Request): HtmlValue {
  const entered = [...enteredIn(req)];
  return (
    entered.length > 0 &&
    html`<h2>What you entered</h2>
<p>Copy it before you leave this page.</p>
${entered.map(([label, text], i) => copyText(`entered-${i}`, label, text))}`
  );
}
