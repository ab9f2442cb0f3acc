import { closestWord } from '@plat/contract';
import { type CommandContext, print } from '../command/context.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXPLAINED } from '../errors/explained.ts';
import { printResult } from '../output/result.ts';
import type { JsonObject } from '../terminal/value.ts';
import { explanationsOf } from './topics.ts';

/** Maximum number of names in a hint. */
const MOST_NAMED = 8;

/**
 * Prints the explanation of a name.
 * @throws {@link CliError} `USAGE` for an unknown name, with the closest known one
 */
export async function runExplain(context: CommandContext, given: string): Promise<void> {
  const wanted = given.trim().toLowerCase();
  // TIMEOUT is a code of plat, timeout the error class of a delivery.
  const name =
    EXPLAINED.find((each) => each === given.trim()) ?? EXPLAINED.find((each) => each.toLowerCase() === wanted);
  if (name !== undefined) return printExplanations(context, explanationsOf(name));
  const containing = EXPLAINED.filter((each) => each.toLowerCase().includes(wanted));
  if (wanted !== '' && containing.length > 0) {
    throw new CliError('USAGE', `${given} is only part of a code, event type or scope`, {
      hint: `There ${containing.length === 1 ? 'is' : 'are'} ${containing.slice(0, MOST_NAMED).join(', ')}${containing.length > MOST_NAMED ? ` and ${containing.length - MOST_NAMED} more` : ''}.`,
      next: `plat explain ${containing[0]}`,
    });
  }
  const meant = closestWord(wanted, EXPLAINED);
  throw new CliError('USAGE', `${given} is not an error code, event type or scope that plat explains`, {
    hint: meant && `Did you mean ${meant}?`,
    next: 'Codes are in docs/errors.md; event types: plat trigger --list; scopes: plat help keys mint',
  });
}

/** Prints each explanation for people. Programs get one object, with the further ones in `also`. */
async function printExplanations(context: CommandContext, [first = {}, ...also]: readonly JsonObject[]): Promise<void> {
  if (context.flags.output !== 'table') {
    return printResult(context, also.length === 0 ? first : { ...first, also });
  }
  await printResult(context, first);
  for (const explanation of also) {
    await print(context, '\n');
    await printResult(context, explanation);
  }
}
