/** @param {{ user: string, role: string, client: string, groupId?: string, entitlements: readonly string[] }} session */
export function reportPage({ user, role, client, groupId, entitlements }) {
  const may = entitlements.includes('analytics:export');
  return page(
    'Analytics',
    `<p>You are <code id="user">${escaped(user)}</code>, ${escaped(role)} of <code id="client">${escaped(client)}</code>${
      groupId ? ` in <code id="group">${escaped(groupId)}</code>` : ''
    }.</p>
<p>${may ? '<a href="/export">Export as CSV</a>' : 'Your role or your plan does not include exports.'}</p>
<h2>Entitlements</h2>
<ul>${entitlements.map((id) => `<li><code>${escaped(id)}</code></li>`).join('')}</ul>`,
  );
}

/** @param {string} words */
export function refusalPage(words) {
  return page('Analytics', `<p>${escaped(words)}</p>`);
}

function page(title, body) {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body><main><h1>${title}</h1>
${body}
</main></body></html>
`;
}

function escaped(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
