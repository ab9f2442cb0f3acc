import { type Html, type HtmlValue, html } from '../../http/html.ts';
import { codeBlock } from './code.ts';

interface Empty {
  readonly title: string;
  readonly words: HtmlValue;
  /** The first step, to paste. */
  readonly command?: { readonly label: string; readonly text: string };
  readonly action?: Html | false;
}

interface NoMatch {
  /** Noun of a row. */
  readonly one: string;
  readonly many: string;
  /** Address of the list without filters. */
  readonly own: string;
  readonly words?: string;
}

/** Shows in the place of rows why a list is empty, and the first step. */
export function emptyState({ title, words, command, action }: Empty): Html {
  return html`<div class="empty"><h2>${title}</h2><p>${words}</p>
${command && codeBlock({ ...command, label: `First step: ${command.label}` })}${action && html`<p class="actions">${action}</p>`}</div>`;
}

/** Shows that no row of a list matches its filters. */
export function noMatch({ one, many, own, words = 'Remove a filter, or choose a longer time.' }: NoMatch): Html {
  return emptyState({ title: `No ${one} matches`, words, action: html`<a class="btn" href="${own}">All ${many}</a>` });
}

/** The command that makes the first event. In a production tenant it would change the data of customers. */
export function firstEvent({ session }: { readonly session: { readonly sandbox: boolean } }): Pick<Empty, 'command'> {
  return session.sandbox ? { command: { label: 'plat', text: 'plat trigger client.created' } } : {};
}
