/** @param {readonly import('@plat/sdk/oauth').Grant[]} grants */
export function installationsPage(grants) {
  const rows = grants.map(({ key, tenantId, status, scopes }) => {
    const isConnected = status === 'connected';
    const action = isConnected
      ? `<a href="/tenants/${escaped(key)}/clients">Clients</a>
<form method="post" action="/tenants/${escaped(key)}/disconnect"><button>Disconnect</button></form>`
      : '<a href="/connect">Connect again</a>';
    const state = isConnected ? 'Connected' : 'Access ended';
    return `<tr><td><code>${escaped(tenantId)}</code></td><td>${state}</td><td>${escaped(scopes.join(', '))}</td><td>${action}</td></tr>`;
  });
  const table = `<table><thead><tr><th>Tenant</th><th>Status</th><th>Scopes</th><th>Actions</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`;
  return page(
    'Installations',
    `${grants.length > 0 ? table : '<p>No tenant is connected yet.</p>'}
<p><a href="/connect">Connect a tenant</a></p>`,
  );
}

/** @param {string} key @param {readonly { id: string, name: string }[]} clients */
export function clientsPage(key, clients) {
  const items = clients.map(({ id, name }) => `<li>${escaped(name)} <code>${escaped(id)}</code></li>`);
  return page(
    'Clients',
    `<p>The clients of <code>${escaped(key)}</code>.</p>
<ul>${items.join('\n')}</ul>
<p><a href="/">Installations</a></p>`,
  );
}

/** @param {string} title @param {string} words */
export const messagePage = (title, words) => page(title, `<p>${words}</p>\n<p><a href="/">Installations</a></p>`);

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
