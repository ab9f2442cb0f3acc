import { type CommandContext, note } from '../command/context.ts';
import type { JsonObject } from '../terminal/value.ts';

/** The steps of a flow, each printed when it happens. */
export interface Steps {
  readonly done: readonly JsonObject[];
  report(step: string, details?: JsonObject): Promise<void>;
}

export function stepsOf(context: CommandContext): Steps {
  const done: JsonObject[] = [];
  return {
    done,
    async report(step, details = {}) {
      done.push({ step, ...details });
      await note(context, `${done.length}. ${step}`);
      for (const [name, value] of Object.entries(details)) await note(context, `   ${name}: ${String(value)}`);
    },
  };
}

/** Returns the kind and the last four characters of a secret, to distinguish two. */
export function lastCharactersOf(secret: string): string {
  const [, kind = ''] = /^(plat_[a-z]+_)/.exec(secret) ?? [];
  return `${kind}…${secret.slice(-4)}`;
}
