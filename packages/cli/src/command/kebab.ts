/** Converts snake_case to kebab-case. */
export function toKebab(name: string): string {
  return name.replaceAll('_', '-');
}
