/*
 * The first steps of users with the client packages, as functions that run unchanged in every runtime. Each returns nothing,
 * or a word for the cell of the table; a failure throws.
 */

/** Runs all probes one after the other. Returns the results by the names of the probes. */
export async function runProbes(modules, settings) {
  const results = {};
  for (const [name, probe] of Object.entries(PROBES)) {
    try {
      results[name] = (await probe(modules, settings)) ?? 'yes';
    } catch (error) {
      results[name] = `failed: ${error?.stack ?? error}`;
    }
  }
  return results;
}

const PROBES = {
  async calls({ sdk }, settings) {
    const platform = connect(sdk, settings);
    const { id } = await platform.clients.create({ name: 'Probe', slug: 'probe' });
    equal((await platform.clients.get(id)).name, 'Probe');
    const error = await thrown(platform.clients.create({ name: 'Other', slug: 'probe' }));
    equal(error instanceof sdk.ApiError && error.code, 'SLUG_IN_USE');
  },

  async pagination({ sdk }, settings) {
    const ids = new Set();
    for await (const { id } of connect(sdk, settings).clients.list({ limit: 1 })) ids.add(id);
    equal(ids.size, 3);
  },

  // A change whose response is lost happens once. Deno's own fetch repeats it, with the same idempotency key.
  async retries({ sdk }, settings) {
    const platform = connect(sdk, settings);
    await platform.groups.create({ name: 'Retried' });
    const { attempts, data: page } = await platform.groups.list().withMeta();
    equal(attempts, 2);
    equal(page.data.filter(({ name }) => name === 'Retried').length, 1);
  },

  // The first pair is spent at once; then the service refuses the new access token, and its pair is spent too.
  async oauth({ oauth: { OAuth, memoryStore } }, { baseUrl, app, refreshToken }) {
    const client = new OAuth({ ...app, baseUrl, store: memoryStore() });
    const { key } = await client.grants.import({ refreshToken, key: 'probe' });
    const users = await client.actingFor(key).users.list().toArray();
    equal(users.length > 0, true);
    equal((await client.grant(key)).status, 'connected');
    client.close();
  },

  webhooks: ({ webhooks }, { delivery }) => verifyWebhook(webhooks, delivery),
  webhooksWeb: ({ webhooksWeb }, { delivery }) => verifyWebhook(webhooksWeb, delivery),
  launchToken: ({ launchToken }, { launch }) => verifyLaunch(launchToken, launch),
  launchTokenWeb: ({ launchTokenWeb }, { launch }) => verifyLaunch(launchTokenWeb, launch),

  async abort({ sdk }, settings) {
    const platform = connect(sdk, settings);
    const during = new AbortController();
    const calling = thrown(platform.webhooks.endpoints.list({}, { signal: during.signal }));
    await untilDelayed(settings);
    during.abort();
    equal((await calling).code, 'ABORTED');
    const between = new AbortController();
    const reading = (async () => {
      for await (const _ of platform.clients.list({ limit: 1 }, { signal: between.signal })) between.abort();
    })();
    equal((await thrown(reading)).code, 'ABORTED');
  },

  async mock({ sdk, mock }) {
    const { apiKey, baseUrl, fetch } = mock.createMockPlatform();
    const platform = new sdk.Platform({ apiKey, baseUrl, fetch });
    const { id } = await platform.clients.create({ name: 'Mocked' });
    equal((await platform.clients.get(id)).name, 'Mocked');
  },
};

const connect = (sdk, { baseUrl, apiKey }) => new sdk.Platform({ baseUrl, apiKey });

/** Waits until the server delays a request. The fault is listed until then. */
async function untilDelayed({ baseUrl, tenantId }) {
  for (let tries = 0; tries < 10_000; tries++) {
    const { data } = await (await fetch(`${baseUrl}/_dev/faults`)).json();
    if (!data.some((fault) => fault.kind === 'delay' && fault.tenant_id === tenantId)) return;
  }
  throw new Error('no request was delayed');
}

async function verifyWebhook(module, { secret, rawBody, headers }) {
  if (module === null) return 'no';
  const verifier = create(() => module.createVerifier({ secrets: secret }), '@plat/webhooks/web');
  if (verifier === null) return 'web entry';
  equal((await verifier.verify(rawBody, headers)).type, 'client.created');
  const error = await thrown((async () => verifier.verify(`${rawBody} `, headers))());
  equal(error.code, 'SIGNATURE_MISMATCH');
}

// The key set comes over HTTP from the issuer.
async function verifyLaunch(module, { token, ...options }) {
  if (module === null) return 'no';
  const verifier = create(() => module.createLaunchVerifier(options), '@plat/launch-token/web-crypto');
  if (verifier === null) return 'web entry';
  equal((await verifier.verify(token)).role, 'owner');
  const forged = `${token.slice(0, -8)}AAAAAAAA`;
  equal((await thrown(verifier.verify(forged))).name, 'LaunchTokenError');
}

/** Returns null where the main entry names the entry for this runtime instead. */
function create(make, entry) {
  try {
    return make();
  } catch (error) {
    if (error.message.includes(entry)) return null;
    throw error;
  }
}

function equal(actual, expected) {
  if (actual !== expected) throw new Error(`${String(actual)} instead of ${String(expected)}`);
}

async function thrown(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
