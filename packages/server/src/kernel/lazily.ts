type AsyncFunctions<Module> = {
  readonly [Name in keyof Module as Module[Name] extends (...args: never) => unknown
    ? Name
    : never]: Module[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

/**
 * Returns the functions of a module, which is loaded when one of them is first called.
 * @example
 * const { listMails } = lazily(() => import('./mails.ts'));
 */
export function lazily<Module extends object>(load: () => Promise<Module>): AsyncFunctions<Module> {
  const call = async (name: string, args: readonly unknown[]): Promise<unknown> => {
    const module: object = await load();
    return Reflect.apply(Reflect.get(module, name), undefined, args);
  };
  const functions: object = new Proxy(
    {},
    {
      get:
        (_, name: string) =>
        (...args: readonly unknown[]) =>
          call(name, args),
    },
  );
  return functions as AsyncFunctions<Module>;
}
