import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { expectNode } from './node.mjs';

/** Installs and builds what a clone lacks, and shows the progress. */
export async function bootstrap() {
  expectNode();
  await ensureInstalled();
  await ensureBuilt();
}

/** Runs a script's main function. Its number is the exit code; of an error the message is printed, without a stack. */
export async function main(body) {
  try {
    process.exitCode = await body();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
