/**
 * Returns true while `next build` imports the modules of an app. The environment variables of the server may be missing
 * then, and no request arrives. Shared by the packages of the platform; not part of the API.
 * @internal
 */
export function isNextBuild(): boolean {
  const { process } = globalThis as { readonly process?: { readonly env?: Readonly<Record<string, unknown>> } };
  try {
    return process?.env?.['NEXT_PHASE'] === 'phase-production-build';
  } catch {
    // Deno refuses to read a variable without a permission.
    return false;
  }
}
