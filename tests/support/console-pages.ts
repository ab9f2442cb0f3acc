/** Kind of the object in the place of `:id`, by the room. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\/apps\/:id/, 'app_id'],
  [/\/webhooks\/deliveries\//, 'delivery_id'],
  [/\/webhooks\//, 'endpoint_id'],
  [/\/events\//, 'event_id'],
  [/\/requests\//, 'request_id'],
  [/\/audit\//, 'audit_event_id'],
  [/\/consents\//, 'consent_id'],
];

/** Returns the path of a console page with the given ids; null if one of them is missing. */
export function pathOfPage(path: string, ids: Readonly<Record<string, string>>): string | null {
  const isOfGroup = path.includes('/groups/');
  const found = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    if (name === 'id') return ids[KINDS.find(([pattern]) => pattern.test(path))?.[1] ?? ''] ?? '?';
    return ids[name === 'location_id' && isOfGroup ? 'group_location_id' : name] ?? '?';
  });
  return found.includes('?') ? null : found;
}
