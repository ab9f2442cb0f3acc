import { CliError } from '../errors/cli-error.ts';
import type { Io } from '../terminal/io.ts';

/** The options of a command that choose the server and the credential. */
export interface ConnectionFlags {
  readonly baseUrl: string | undefined;
  readonly apiKeyFile: string | undefined;
  /** Name of a profile. */
  readonly profile: string | undefined;
}

/** A value and its source. */
export interface Setting {
  readonly value: string;
  readonly from: string;
}

/**
 * Returns the base URL of the option or the environment, checked by the client.
 * @throws {@link CliError} `USAGE` naming the source of an invalid URL
 */
export async function readBaseUrlSetting(io: Io, flags: ConnectionFlags): Promise<Setting | undefined> {
  const given = find(io, flags);
  if (given) await check(given);
  return given;
}

function find({ env }: Io, { baseUrl }: ConnectionFlags): Setting | undefined {
  if (baseUrl !== undefined) return { value: baseUrl, from: '--base-url' };
  const value = env['PLAT_BASE_URL']?.trim();
  return value ? { value, from: 'PLAT_BASE_URL' } : undefined;
}

/** Validates the URL with the rules of the client. */
async function check({ value: baseUrl, from }: Setting): Promise<void> {
  if (baseUrl === '') throw refusal(`${from} is empty`);
  const { InvalidArgumentError, Platform } = await import('@plat/sdk');
  try {
    new Platform({ baseUrl, apiKey: 'none' }).close();
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    // The value is left out, since it may contain a password.
    throw refusal(error.message.replace(/^baseUrl:/, from));
  }
}

function refusal(message: string): CliError {
  return new CliError('USAGE', message, { next: 'Give scheme and host, for example http://127.0.0.1:4010.' });
}
