import type { AppVerification } from '@plat/contract';
import { type Html, type HtmlValue, html } from '../http/html.ts';

/**
 * A text to copy. It is in a field that cannot be changed: without a script, that is what a keyboard can reach, and select
 * all of.
 */
export function copyText(id: string, label: HtmlValue, text: string): Html {
  return html`<div class="copy">
<label for="${id}">${label}</label>
<textarea id="${id}" rows="${text.split('\n').length}" readonly spellcheck="false" autocomplete="off">
${text}</textarea>
</div>
`;
}

/** A secret at the one time that it is shown, with where it belongs. */
export function secretSheet(secret: {
  readonly label: string;
  readonly value: string;
  /** Name → value, as a file of environment variables has them. */
  readonly environment: Readonly<Record<string, string>>;
}): Html {
  const lines = Object.entries(secret.environment).map(([name, value]) => `${name}=${value}`);
  return html`<div class="notice" role="status"><p><strong>Copy it now: it is not shown again.</strong> Only a hash of it is kept here.</p></div>
<div class="card">
${copyText('secret', secret.label, secret.value)}
${copyText('environment', 'As environment variables', lines.join('\n'))}
<p>Put it into the secret store of your deployment, or on your own machine into a file such as <code>.env</code> that is kept out of version control. It does not belong into a web page, an app on a phone, a link, a chat or a log.</p>
</div>`;
}

/** An instant of the API. */
export function when(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

export function verificationBadge(verification: AppVerification): Html {
  const [words, mood] = BADGES[verification];
  return html`<span class="badge ${mood}">${words}</span>`;
}

const BADGES: Readonly<Record<AppVerification, readonly [words: string, mood: string]>> = {
  unverified: ['Not verified', 'calm'],
  pending: ['In review', 'calm'],
  verified: ['Verified', 'good'],
  rejected: ['Rejected', 'bad'],
};

/** What a redirect after a form says was done; the query holds one of a few known words, never a text. */
export function doneNotice(done: string | undefined, words: Readonly<Record<string, string>>): HtmlValue {
  const sentence = done !== undefined && Object.hasOwn(words, done) ? words[done] : undefined;
  return sentence !== undefined && html`<div class="notice" role="status"><p>${sentence}</p></div>`;
}

/** A second page before what cannot be undone. */
export function confirmation({
  words,
  form,
  backTo,
}: {
  readonly words: HtmlValue;
  readonly form: Html;
  readonly backTo: string;
}): Html {
  return html`<div class="card">${words}
<div class="actions">${form}<a class="button plain" href="${backTo}">Leave it as it is</a></div>
</div>`;
}
