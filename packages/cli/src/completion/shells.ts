/** Shells with a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** One of {@link SHELLS}. */
export type Shell = (typeof SHELLS)[number];

/** Returns whether a value is one of {@link SHELLS}. */
export function isShell(value: unknown): value is Shell {
  return SHELLS.some((shell) => shell === value);
}
