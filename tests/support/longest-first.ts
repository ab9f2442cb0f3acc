import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that run for the longest time, longest first. A run that starts one of them last waits for it alone. */
const LONGEST = [
  'tests/containers/containers',
  'tests/stories/database-gone',
  'tests/stories/console-browser',
  'tests/stories/replays',
  'tests/stories/galera',
  'tests/stories/crash',
  'tests/stories/sdk-oauth',
  'tests/stories/fuzz-routes',
  'tests/stories/fuzz',
  'packages/server/src/events/endpoints/endpoint-health',
  'packages/server/src/events/dispatch/dispatcher',
  'tests/stories/operator',
  'tests/stories/launch-keys',
  'scripts/consumers',
  'tests/stories/mail',
  'tests/stories/workers',
];

/** Starts the longest files first; the others keep the order of Vitest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = LONGEST.findIndex((name) => moduleId.includes(`/${name}.test.`));
      return index < 0 ? LONGEST.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
