/** Thrown with every problem of the environment at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `the configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}: ${problems.join('; ')}`,
    );
    this.problems = problems;
  }
}
