declare const type: unique symbol;

/** How a value is written on the command line. */
export type FieldKind = 'text' | 'integer' | 'texts' | 'time' | 'flag';

/** One field of a query or body, as an option of a command. */
export interface AnyField {
  readonly kind: FieldKind;
  readonly summary: string;
  /** The word in angle brackets; a flag has none. */
  readonly placeholder: string;
  /** The only values there are. */
  readonly values?: readonly string[];
  /** Can be unset: `--no-<name>` sends null. */
  readonly nullable?: true;
  readonly required?: true;
  /** What `--no-<name>` says of a flag. */
  readonly off?: string;
  /** Has no option, being another name for this field. */
  readonly sameAs?: string;
}

/** A field whose value is of exactly type T: the compiler holds the table against the contract. */
export interface Field<T> extends AnyField {
  readonly [type]?: (value: T) => T;
}

/** A field that has to be given. */
export interface RequiredField<T> extends Field<T> {
  readonly required: true;
}

/** One field for each of T's, required where it is there. */
export type Fields<T> = {
  readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K>
    ? Field<Exclude<T[K], undefined>> & { readonly required?: never }
    : RequiredField<T[K]>;
};

export const text = (summary: string, placeholder = 'text'): Optional<string> => ({
  kind: 'text',
  summary,
  placeholder,
});

export const integer = (summary: string, placeholder = 'n'): Optional<number> => ({
  kind: 'integer',
  summary,
  placeholder,
});

/** An instant: ISO 8601, or so long ago as `24h`. */
export const time = (summary: string): Optional<string> => ({ kind: 'time', summary, placeholder: 'time' });

/** Yes or no: `--<name>` and `--no-<name>`, each with what it says. */
export const flag = (summary: string, off: string): Optional<boolean> => ({
  kind: 'flag',
  summary,
  placeholder: '',
  off,
});

export const oneOf = <V extends string>(values: readonly V[], summary: string): Optional<V> => ({
  kind: 'text',
  summary,
  placeholder: values.length <= 3 ? values.join('|') : 'value',
  values,
});

/** One of values that the service adds to over time: it checks them, so that an older CLI takes newer ones. */
export const openText = <V extends string>(summary: string, placeholder: string): Optional<V> => ({
  kind: 'text',
  summary,
  placeholder,
});

/** A list of such values: separated by commas, or the option given again. */
export const openTexts = <V extends string>(summary: string, placeholder: string): Optional<readonly V[]> => ({
  kind: 'texts',
  summary,
  placeholder: `${placeholder},…`,
});

export const nullable = <T>(field: Optional<T>): Optional<T | null> => ({ ...unlocked(field), nullable: true });

export const required = <T>(field: Optional<T>): RequiredField<T> => ({ ...field, required: true });

/** Another name for a field: the API takes both, the command line needs only one. */
export const sameAs = <T>(name: string): Optional<T> => ({ kind: 'text', summary: '', placeholder: '', sameAs: name });

type Optional<T> = Field<T> & { readonly required?: never };

/** The field without its type, to be given another one. */
function unlocked(field: AnyField & { readonly required?: never }): AnyField & { readonly required?: never } {
  return field;
}
