/** The result of a drill. */
export interface DrillResult {
  /** True if every target was met. The exit code of the command is 0 only then. */
  readonly sound: boolean;
  /** A table of figures, each with its target, for people. */
  readonly report: string;
}

/** A fault or a load on real servers, with targets. */
export interface Drill {
  /** One line for the list of drills. */
  readonly summary: string;
  /** `args` are the words after the name. */
  run(args: readonly string[]): Promise<DrillResult>;
}
