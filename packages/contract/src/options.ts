/** Names of the options of a function. */
export type OptionNames<O> = Readonly<Record<keyof O & string, true>>;

/** An unknown option, and the advice for the caller. */
export interface MisnamedOption {
  /** Name of the unknown option. */
  readonly name: string;
  /** A sentence that names the intended option, or all options. */
  readonly advice: string;
}

/**
 * Finds the first name in `options` that is not an option. The advice names the option that was probably intended: one
 * that differs in case or underscores only, or the one to which `otherNames` (names in other libraries) maps it. Shared
 * by the packages of the platform; not part of the API.
 * @returns undefined if every name is an option
 * @internal
 */
export function misnamedOption(
  options: object,
  names: Readonly<Record<string, true>>,
  otherNames: Readonly<Record<string, string>> = {},
): MisnamedOption | undefined {
  const name = Object.keys(options).find((each) => !Object.hasOwn(names, each));
  if (name === undefined) return undefined;
  const known = Object.keys(names);
  const meant =
    known.find((each) => plain(each) === plain(name)) ??
    (Object.hasOwn(otherNames, name) ? otherNames[name] : undefined);
  const advice = meant ? `did you mean ${meant}?` : `the options are ${known.join(', ')}`;
  return { name, advice: `is not an option; ${advice}` };
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}
