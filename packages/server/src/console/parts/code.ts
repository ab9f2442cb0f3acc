import { curlCommand, WITH_API_KEY } from '../../http/call-code.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';

interface Code {
  readonly label: string;
  readonly text: HtmlValue;
  /** Distinguishes blocks with the same label for readers of the page's outline. */
  readonly about?: string;
  /** False for text whose lines must not be broken. */
  readonly wraps?: boolean;
}

/** Shows something to paste, or something that was sent or received. The script shows the copy button. */
export function codeBlock({ label, about, text, wraps = true }: Code): Html {
  const name = about === undefined ? label : `${label}: ${about}`;
  return html`<div class="code"><div class="code-head"><span>${label}</span><button class="copy" type="button" hidden>Copy<span class="sr"> ${name}</span></button></div><pre tabindex="0" role="region" aria-label="${name}"${wraps && html` class="wrap"`}>${text}</pre></div>
`;
}

/** Shows commands that do what the page shows. */
export function commands(plat: string, curl?: string): Html {
  return html`<section class="section" aria-labelledby="commands"><h2 id="commands">As a command</h2>
${codeBlock({ label: 'plat', text: plat })}${curl !== undefined && codeBlock({ label: 'curl', text: curl })}</section>`;
}

/** Returns the curl command of a GET below `/v1`. */
export function curlOf(path: string): string {
  return curlCommand('GET', `/v1${path}`, [WITH_API_KEY]);
}

/** Returns the value of a body that is JSON; undefined for one that is not, such as half a body. */
export function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Shows JSON with quiet keys. Every piece is escaped on its own. */
export function jsonBlock(label: string, value: unknown): Html {
  const text = JSON.stringify(value, null, 2) ?? 'null';
  const lines: HtmlValue[] = text.split('\n').map((line, i) => {
    const [, indent = '', key = '', rest = ''] = /^( *)("(?:[^"\\]|\\.)*")(: .*)$/.exec(line) ?? [];
    const shown = key === '' ? line : html`${indent}<span class="k">${key}</span>${rest}`;
    return html`${i > 0 && '\n'}${shown}`;
  });
  return codeBlock({ label, text: lines });
}
