import { ConfigError } from './config-error.ts';
import { environment } from './environment.ts';
import { publicAddressProblem } from './public-address.ts';
import { readConfig } from './read-config.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** One environment variable with its effective value. */
export interface Setting {
  readonly variable: string;
  /** Without its secrets; null: not set, and without a default. */
  readonly value: string | null;
  readonly source: 'environment' | 'default';
}

/** The configuration that an environment results in. */
export interface ConfigExplanation {
  readonly settings: readonly Setting[];
  /** Set variables whose names begin like ours and that nothing reads, with the most similar known name. */
  readonly unknown: readonly { readonly variable: string; readonly similar: string | null }[];
  /** Refused values. */
  readonly problems: readonly string[];
}

const SECRETS: ReadonlySet<string> = new Set(['PLAT_MASTER_KEY']);
const URLS: ReadonlySet<string> = new Set([
  ...['DATABASE_URL', 'REDIS_URL', 'SMTP_URL', 'PLAT_BASE_URL', 'PLAT_ISSUER'],
  ...['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'],
]);

export function explainConfig(variables: Variables): ConfigExplanation {
  const { keys } = environment.describe() as { keys: Record<string, { flags?: { default?: unknown } }> };
  const names = Object.keys(keys);
  return {
    settings: names.map((variable) => {
      const given = variables[variable];
      const preset = keys[variable]?.flags?.default;
      if (given !== undefined && given !== '')
        return { variable, value: shown(variable, given), source: 'environment' };
      return { variable, value: preset === undefined || preset === '' ? null : String(preset), source: 'default' };
    }),
    unknown: Object.keys(variables)
      .filter((name) => name.startsWith('PLAT_') && !names.includes(name))
      .sort()
      .map((variable) => ({ variable, similar: mostSimilar(variable, names) })),
    problems: problemsOf(variables),
  };
}

function problemsOf(variables: Variables): readonly string[] {
  try {
    const problem = publicAddressProblem(readConfig(variables));
    return problem === null ? [] : [problem];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

function shown(variable: string, value: string): string {
  if (SECRETS.has(variable)) return `[redacted: ${value.split(',').length} keys]`;
  if (!URLS.has(variable) || value.startsWith('sqlite:')) return value;
  // A list of hosts is no URL for the parser of the platform.
  const parts = /^(\w+:\/\/)(?:([^:@/]*)(?::.*)?@)?([^@?]*)(\?.*)?$/.exec(value);
  if (!parts) return '[redacted]';
  const [, scheme, user, place, options] = parts;
  // Options of a URL may be secrets too.
  return `${scheme}${user === undefined ? '' : `${user}:[redacted]@`}${place}${options === undefined ? '' : '?[redacted]'}`;
}

/** Returns the known name that shares most words with a name; null when none shares one. */
function mostSimilar(given: string, names: readonly string[]): string | null {
  const words = wordsOf(given);
  const [best] = names.map((name) => ({ name, score: score(words, wordsOf(name)) })).sort((a, b) => b.score - a.score);
  return best && best.score >= 0.5 ? best.name : null;
}

function wordsOf(name: string): readonly string[] {
  return name
    .replace(/^PLAT_/, '')
    .split('_')
    .map((word) => word.replace(/S$/, ''));
}

function score(given: readonly string[], known: readonly string[]): number {
  const shared = given.filter((word) => known.includes(word)).length;
  return shared / Math.max(given.length, known.length);
}
