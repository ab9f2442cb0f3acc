import { closestWord } from '@plat/contract';
import { CliError } from '../errors/cli-error.ts';
import type { Io } from '../terminal/io.ts';
import type { ConnectionFlags } from './base-url-setting.ts';
import { type Credentials, type NamedProfile, profileNamed } from './credentials-file.ts';

/** Returns the name of `--profile`, or else of PLAT_PROFILE. */
export function profileName({ env }: Pick<Io, 'env'>, { profile }: Pick<ConnectionFlags, 'profile'>): string | null {
  return profile ?? (env['PLAT_PROFILE']?.trim() || null);
}

/**
 * Returns the profile with this name.
 * @throws {@link CliError} `USAGE` for an unknown name, with the closest known one
 */
export function requireProfile(credentials: Credentials, name: string): NamedProfile {
  const known = profileNamed(credentials, name);
  if (known) return known;
  const closest = closestWord(name, Object.keys(credentials.profiles));
  throw new CliError('USAGE', `There is no profile ${name}`, {
    hint: closest && `Did you mean ${closest}?`,
    next: 'List them: plat profile list',
  });
}
