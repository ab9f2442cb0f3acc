/** Start of all events. */
const FIRST = `evt_${'0'.repeat(26)}`;

/**
 * An event becomes visible when its transaction commits, and its id has an earlier time. Events that are this much older
 * than a visible event are complete: the cursor may pass them.
 */
const LATENESS_MS = 20 * 60_000;

/** Copies all clients, once: events are listed for 30 days only. Events that occur meanwhile are newer, and win. */
export async function copyClients(platform, database) {
  for await (const client of platform.clients.list()) database.putClient(client);
  database.setSetting('copied', new Date().toISOString());
}

/** Applies all events after the cursor, and moves it. Events behind the cursor are read again; they have no effect. */
export async function catchUp(platform, database, apply) {
  const [newest] = await platform.webhooks.events.list().take(1).toArray();
  if (newest === undefined) return;
  const complete = Date.parse(newest.created) - LATENESS_MS;
  for await (const event of platform.webhooks.events.list({ ending_before: database.setting('cursor') ?? FIRST })) {
    await apply(event);
    if (Date.parse(event.created) < complete) database.setSetting('cursor', event.id);
  }
}

/**
 * The platform disables an endpoint that fails for days. This enables it and asks for the events that it missed. They
 * have no effect where the list was faster, and `missed_since` of the endpoint ends.
 */
export async function replayMissed(platform, endpoint) {
  if (endpoint.status === 'disabled') await platform.webhooks.endpoints.update(endpoint.id, { status: 'enabled' });
  if (endpoint.missed_since === null) return;
  const { id } = await platform.webhooks.replays.create({
    since: endpoint.missed_since,
    endpoint_id: endpoint.id,
    select: 'undelivered',
  });
  console.log(`replay    ${id} of the events since ${endpoint.missed_since}`);
}
