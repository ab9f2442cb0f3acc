/** Names of the options of a function. */
export type OptionNames<O> = Readonly<Record<keyof O & string, true>>;

/**
 * Describes the first name in `options` that is no option, with the name that was probably meant: one that differs in
 * case or underscores only, or the one that `otherNames` (names in other libraries) maps it to.
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
): string | undefined {
  const known = Object.keys(names);
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(names, name)) continue;
    const meant =
      known.find((each) => plain(each) === plain(name)) ??
      (Object.hasOwn(otherNames, name) ? otherNames[name] : undefined);
    if (meant) return `${name} is not an option; did you mean ${meant}?`;
    return `${name} is not an option; the options are ${known.join(', ')}.`;
  }
  return undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}
