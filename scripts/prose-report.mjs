// node scripts/prose-report.mjs [path prefix…]: prints the faults of the prose check in some files, or in all.
import { committedFiles, proseFaults } from './checks/prose.mjs';

const prefixes = process.argv.slice(2);
const paths = (await committedFiles()).filter(
  (path) => prefixes.length === 0 || prefixes.some((prefix) => path.startsWith(prefix)),
);
const faults = proseFaults(paths);
for (const { path, line, fault } of faults) process.stdout.write(`${path}:${line} ${fault}\n`);
process.stdout.write(`${faults.length} faults in ${paths.length} files\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
