/** Words that replace parts of field names. */
const WORDS: Readonly<Record<string, string>> = { timezone: 'time zone', ttl: 'lifetime', url: 'URL', uris: 'URIs' };

/** Returns the label of a field of the API: `custom_domain` → `Custom domain`, `client_id` → `Client`. */
export function labelOf(name: string): string {
  const words = name
    .replace(/_(?:id|at)$/, '')
    .split('_')
    .map((word) => WORDS[word] ?? word)
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
