/** Environment variables that the options of clients fall back to. */
export const VARIABLES = { apiKey: 'PLAT_API_KEY', baseUrl: 'PLAT_BASE_URL' } as const;

interface Runtime {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  readonly Deno?: {
    readonly permissions?: { querySync?(permission: { name: 'env'; variable: string }): { readonly state: string } };
  };
}

/**
 * Returns an environment variable; undefined if it is empty, absent, or if the runtime has no environment. Deno is asked
 * for the permission first, because a read without it would prompt the person.
 */
export function readVariable(name: string): string | undefined {
  const { process, Deno } = globalThis as Runtime;
  if (Deno && Deno.permissions?.querySync?.({ name: 'env', variable: name }).state !== 'granted') return undefined;
  return process?.env?.[name] || undefined;
}
