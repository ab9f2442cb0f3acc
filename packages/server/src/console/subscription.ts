/** Returns true if an endpoint receives new events of a type while it is enabled. */
export function subscribes({ events }: { readonly events: readonly string[] }, type: string): boolean {
  return events.includes('*') || events.includes(type);
}
