/** Names of the options of a function. */
export type OptionNames<O> = Readonly<Record<keyof O & string, true>>;

/** A name that is no option, and what to write instead. */
export interface MisnamedOption {
  /** The unknown name. */
  readonly name: string;
  /** A sentence that names the intended option, or all options. */
  readonly advice: string;
}

/**
 * Finds the first name in `options` that is no option. The advice names the option that was probably meant: one that
 * differs in case or underscores only, or the one that `otherNames` (names in other libraries) maps it to.
 *
 * The packages of the platform share it; it is no part of the API.
 *
 * @returns undefined when every name is an option
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
