import { DRILLS } from './index.ts';

const [name, ...args] = process.argv.slice(2);
const drill = name === undefined ? undefined : DRILLS[name];
if (!drill) {
  const width = Math.max(0, ...Object.keys(DRILLS).map((key) => key.length));
  const lines = Object.entries(DRILLS).map(([key, { summary }]) => `  ${key.padEnd(width)}  ${summary}\n`);
  process.stderr.write(`npm run drill -- <name> [options]\n\n${lines.join('')}`);
  process.exit(name === undefined ? 0 : 2);
}
try {
  const { sound, report } = await drill.run(args);
  process.stdout.write(`${report}\n`);
  process.exit(sound ? 0 : 1);
} catch (error) {
  if (!isOfOptions(error)) throw error;
  process.stderr.write(`${error.message}\n\n${name}: ${drill.summary}\n`);
  process.exit(2);
}

function isOfOptions(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
