import { ALL_SCOPES, isScope, SCOPES, type Scope } from '@plat/contract';
import { type Html, html } from '../http/html.ts';
import { fieldset, type Problems } from './forms.ts';

interface ScopesField {
  readonly hint: string;
  readonly chosen: readonly Scope[];
  readonly problems: Problems;
}

/** Checkboxes for scopes, each with its description. In two columns, reading is beside writing. */
export function scopesField({ hint, chosen, problems }: ScopesField): Html {
  const boxes = PAIRS_FIRST.map(
    (
      scope,
    ) => html`<label class="check"><input type="checkbox" name="${fieldOf(scope)}" value="on"${chosen.includes(scope) && html` checked`}>
<span><code>${scope}</code> <span class="muted">${SCOPES[scope]}</span></span></label>
`,
  );
  return fieldset({ name: 'scopes', label: 'Scopes', hint, problems }, html`<div class="checks">${boxes}</div>`);
}

/** Returns the selected scopes. */
export function postedScopes(fields: Readonly<Record<string, string>>): readonly Scope[] {
  return ALL_SCOPES.filter((scope) => fields[fieldOf(scope)] === 'on');
}

/** Lists the descriptions of scopes. */
export function scopeList(scopes: readonly Scope[]): Html {
  return html`<ul class="bullets">
${scopes.map((scope) => html`<li>${SCOPES[scope]} <code class="muted">${scope}</code></li>\n`)}</ul>`;
}

const PAIRS_FIRST = [...ALL_SCOPES.filter(isOfPair), ...ALL_SCOPES.filter((scope) => !isOfPair(scope))];

function isOfPair(scope: Scope): boolean {
  const [resource] = scope.split(':');
  return isScope(`${resource}:read`) && isScope(`${resource}:write`);
}

/** Each checkbox has its own name, since a repeated field is refused. */
function fieldOf(scope: Scope): string {
  return `scope.${scope}`;
}
