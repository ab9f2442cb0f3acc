import type { CommandContext } from '../context.ts';
import { printResult } from '../output/result.ts';
import { version } from '../version.ts';

/** Prints the versions of what runs here. */
export function printVersion(context: CommandContext): Promise<void> {
  const { version: node, platform, arch } = process;
  return printResult(context, { object: 'version', plat: version(), node: node.slice(1), platform, arch });
}
