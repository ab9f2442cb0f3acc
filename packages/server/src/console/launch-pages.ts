import { LAUNCH_TOKEN_FIELD } from '@plat/contract';
import type { AdminSession } from '../accounts/session.ts';
import { type Html, type HtmlValue, html } from '../http/html.ts';
import type { IssuedLaunchToken } from '../launch/issue-launch-token.ts';
import type { ClientChoice, LaunchChoices, ModuleChoice } from '../launch/launch-choices.ts';
import { form } from './forms.ts';
import type { SignedInPage } from './layout.ts';

export const MODULES_PATH = '/modules';

interface ModulesShown {
  readonly session: AdminSession;
  readonly base: string;
  readonly choices: LaunchChoices;
  readonly mayLaunch: boolean;
}

export function modulesPage(shown: ModulesShown): SignedInPage {
  const { modules, client } = shown.choices;
  return {
    title: 'Modules',
    here: MODULES_PATH,
    lede: 'Modules in the plan of the tenant. A module that you launch receives your identity, your role and your permissions.',
    body: html`${!shown.mayLaunch && html`<p>From a sandbox you can't launch modules on this server.</p>\n`}${client ? clientForm(shown, client) : html`<p>The tenant has no active client. You need one to launch a module.</p>`}
${modules.length === 0 && html`<p>The plan of the tenant has no modules.</p>`}
${modules.map((module) => moduleCard(module, shown))}`,
  };
}

/** Builds the choice of the client for which modules are launched. Without a choice, shows the client. */
function clientForm({ base, choices: { clients, hasMoreClients } }: ModulesShown, client: ClientChoice): HtmlValue {
  if (clients.length < 2)
    return html`<p>Modules are launched for <strong>${client.name}</strong> (${client.slug}).</p>`;
  const options = clients.map(
    ({ id, name, slug }) =>
      html`<option value="${id}"${id === client.id && html` selected`}>${name} (${slug})</option>\n`,
  );
  const list = html`<select class="input" id="client_id" name="client_id">\n${options}</select>`;
  const field = html`<p class="hint" id="client-hint">The id of a client. This one is ${client.name} (${client.slug}).</p>
<input class="input" id="client_id" name="client_id" value="${client.id}" maxlength="30" autocomplete="off" spellcheck="false" required aria-describedby="client-hint">`;
  return html`<form method="get" action="${base}${MODULES_PATH}" class="form flow">
<div class="field">
<label for="client_id">Client</label>
${hasMoreClients ? field : list}
</div>
<button type="submit" class="btn">Show modules</button>
</form>`;
}

function moduleCard(module: ModuleChoice, shown: ModulesShown): Html {
  const { name, description, entitlements, isLaunchable } = module;
  const { client } = shown.choices;
  return html`<article class="item">
<h2>${name}</h2>
<p>${description}</p>
${entitlements.length > 0 && html`<ul class="bullets">\n${entitlements.map((id) => html`<li><code>${id}</code></li>\n`)}</ul>`}
${client && entitlements.length === 0 && html`<p class="muted">You have no access to this module for this client.</p>`}
${!isLaunchable && html`<p class="muted">This module can't be launched from here.</p>`}
${shown.mayLaunch && client && isLaunchable && entitlements.length > 0 && launchForm(module, shown, client)}
</article>
`;
}

function launchForm(
  { slug, name }: ModuleChoice,
  { session, base, choices }: ModulesShown,
  client: ClientChoice,
): Html {
  const { groups } = choices;
  const options = groups.map((group) => html`<option value="${group.id}">${group.name}</option>\n`);
  return form(
    {
      session,
      action: `${base}${MODULES_PATH}/${slug}/launch`,
      hidden: { client_id: client.id },
      look: 'inline',
    },
    html`${
      groups.length > 0 &&
      html`<div class="field">
<label for="group-${slug}">Group (optional)</label>
<select class="input" id="group-${slug}" name="group_id">
<option value="">None</option>
${options}</select>
</div>`
    }
<button type="submit" class="btn btn-primary">Launch<span class="sr"> ${name}</span></button>`,
  );
}

/** Builds the page that sends the token. It is the response to the form, and the only page with the token. */
export function launchPage({ token, module }: Pick<IssuedLaunchToken, 'token' | 'module'>): SignedInPage {
  const { name, launchUrl } = module;
  return {
    title: `Continue to ${name}`,
    here: MODULES_PATH,
    below: [{ path: MODULES_PATH, words: 'Modules' }],
    narrow: true,
    body: html`<form method="post" action="${launchUrl.href}" class="form flow">
<p>You are going to <strong>${launchUrl.host}</strong>. It receives your identity, your role and your permissions.</p>
<input type="hidden" name="${LAUNCH_TOKEN_FIELD}" value="${token}">
<button type="submit" class="btn btn-primary" autofocus>Open ${name}</button>
</form>`,
  };
}
