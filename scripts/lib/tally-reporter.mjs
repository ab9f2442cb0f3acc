import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './paths.mjs';

/** Vitest reporter that writes the tally of the run to the file that PLAT_TALLY_FILE names. */
export default class TallyReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly { message: string }[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state) => tests.filter((test) => test.result().state === state).length;
    const failures = [
      ...modules.flatMap(failuresOf),
      ...unhandledErrors.map((error) => `outside of tests: ${firstLine([error])}`),
    ];
    const tally = { passed: count('passed'), skipped: count('skipped'), failures };
    writeFileSync(process.env.PLAT_TALLY_FILE, JSON.stringify(tally));
  }
}

/** One line for each failed test, suite hook and file that did not load. */
function failuresOf(module) {
  const name = `${module.project.name}  ${relative(root, module.moduleId)}`;
  const failed = [...module.children.allTests('failed')].map(
    (test) => `${name} > ${test.fullName}: ${firstLine(test.result().errors)}`,
  );
  const suites = [module, ...module.children.allSuites()].filter((suite) => suite.errors().length > 0);
  return [...failed, ...suites.map((suite) => `${name}: ${firstLine(suite.errors())}`)];
}

const firstLine = ([error] = []) => String(error?.message).trim().split('\n', 1)[0].slice(0, 300);
