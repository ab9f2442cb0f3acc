import type { AppVerification } from '@plat/contract';
import { type Html, type HtmlValue, html } from '../http/html.ts';
import { lookUp } from './parts/look-up.ts';

/**
 * Shows a text to copy. It is in a read-only field: without script, a keyboard can reach that field and select its
 * content.
 */
export function copyText(id: string, label: HtmlValue, text: string): Html {
  return html`<div class="field">
<label for="${id}">${label}</label>
<textarea class="input" id="${id}" rows="${text.split('\n').length}" readonly spellcheck="false" autocomplete="off">
${text}</textarea>
</div>
`;
}

/** Shows a secret once, with instructions where to store it. */
export function secretSheet(secret: {
  readonly label: string;
  readonly value: string;
  /** Name → value of environment variables. */
  readonly environment: Readonly<Record<string, string>>;
}): Html {
  const lines = Object.entries(secret.environment).map(([name, value]) => `${name}=${value}`);
  return html`<div class="notice good" role="status"><p><strong>Copy it now. You won't see it again.</strong></p></div>
<div class="form-wide flow">
${copyText('secret', secret.label, secret.value)}
${copyText('environment', 'As environment variables', lines.join('\n'))}
<p>Store it in the secret store of your deployment, or on your own machine in a file such as <code>.env</code> outside version control. Never put it into a web page, a mobile app, a link, a chat or a log.</p>
</div>`;
}

export function verificationBadge(verification: AppVerification): Html {
  const [words, mood] = lookUp(BADGES, verification) ?? [verification, ''];
  return html`<span class="badge ${mood}">${words}</span>`;
}

const BADGES: Readonly<Record<AppVerification, readonly [words: string, mood: string]>> = {
  unverified: ['Not verified', ''],
  pending: ['In review', ''],
  verified: ['Verified', 'good'],
  rejected: ['Rejected', 'bad'],
};

/**
 * Returns the message for the `done` field of a redirect. The query selects one of a few messages; it is never shown
 * itself.
 */
export function doneNotice(done: string | undefined, words: Readonly<Record<string, string>>): HtmlValue {
  const sentence = done !== undefined && Object.hasOwn(words, done) ? words[done] : undefined;
  return sentence !== undefined && html`<div class="notice good" role="status"><p>${sentence}</p></div>`;
}

/** Content of a page that confirms a permanent change. */
export function confirmation({
  words,
  form,
  backTo,
}: {
  readonly words: HtmlValue;
  readonly form: Html;
  readonly backTo: string;
}): Html {
  return html`<div class="flow">${words}
<div class="actions">${form}<a class="btn" href="${backTo}">Cancel</a></div>
</div>`;
}
