import { ALL_SCOPES, isScope, SCOPES, type Scope } from '@plat/contract';
import { type Html, html } from '../http/html.ts';
import { fieldset, type Problems } from './forms.ts';

interface ScopesField {
  readonly label: string;
  readonly hint: string;
  readonly chosen: readonly Scope[];
  readonly problems: Problems;
}

/** A box for each scope, with what it allows; in two columns, reading stands beside writing. */
export function scopesField({ label, hint, chosen, problems }: ScopesField): Html {
  const boxes = PAIRS_FIRST.map(
    (
      scope,
    ) => html`<label class="choice"><input type="checkbox" name="${fieldOf(scope)}" value="on"${chosen.includes(scope) && html` checked`}>
<span><code>${scope}</code> <span class="quiet">${SCOPES[scope]}</span></span></label>
`,
  );
  return fieldset({ name: 'scopes', label, hint, problems }, html`<div class="scopes">${boxes}</div>`);
}

/** The scopes whose boxes were ticked. */
export function postedScopes(fields: Readonly<Record<string, string>>): readonly Scope[] {
  return ALL_SCOPES.filter((scope) => fields[fieldOf(scope)] === 'on');
}

/** What scopes allow, in sentences. */
export function scopeList(scopes: readonly Scope[]): Html {
  return html`<ul class="plain-list">
${scopes.map((scope) => html`<li>${SCOPES[scope]} <code class="quiet">${scope}</code></li>\n`)}</ul>`;
}

const PAIRS_FIRST = [...ALL_SCOPES.filter(isOfPair), ...ALL_SCOPES.filter((scope) => !isOfPair(scope))];

function isOfPair(scope: Scope): boolean {
  const [resource] = scope.split(':');
  return isScope(`${resource}:read`) && isScope(`${resource}:write`);
}

/** Each has a name of its own, since a field that is given twice is refused. */
function fieldOf(scope: Scope): string {
  return `scope.${scope}`;
}
