import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';

/** From a fresh clone to something that runs: installs and builds what is missing, and says so while it does. */
export async function bootstrap() {
  await ensureInstalled();
  await ensureBuilt();
}

/** Runs a script's main function: its number is the exit code; an expected failure is its message, without a stack. */
export async function main(body) {
  try {
    process.exitCode = await body();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
