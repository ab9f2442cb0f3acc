import type { CommandContext } from '../command/context.ts';
import { version } from '../command/version.ts';
import { printResult } from '../output/result.ts';

/** Prints the versions of plat, Node.js and the system. */
export function printVersion(context: CommandContext): Promise<void> {
  const { version: node, platform, arch } = process;
  return printResult(context, { object: 'version', plat: version(), node: node.slice(1), platform, arch });
}
