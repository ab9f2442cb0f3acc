import { closestWord } from '@plat/contract';
import type { CommandContext } from '../command/context.ts';
import { CliError } from '../errors/cli-error.ts';
import { printResult } from '../output/result.ts';
import { EXPLAINED, explanationOf } from './topics.ts';

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
  if (name !== undefined) return printResult(context, explanationOf(name));
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
    next: 'Codes are in docs/errors.md, those of @plat/sdk in its README; event types: plat trigger --list; scopes: plat help keys mint',
  });
}
