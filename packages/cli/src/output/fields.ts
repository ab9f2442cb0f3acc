import { type CommandContext, note } from '../command/context.ts';
import { isObject, type JsonObject, valueAt } from '../terminal/value.ts';

/** Returns the fields of `--fields`, in that order. A missing field is null. */
export function pickFields({ flags: { fields } }: CommandContext, object: JsonObject): JsonObject {
  if (!fields) return object;
  const result: Record<string, unknown> = {};
  for (const path of fields) put(result, path.split('.'), valueAt(object, path) ?? null);
  return result;
}

/** Notes the fields that no object has. It does not fail, so that a script may name a field of a newer API. */
export async function noteUnknownFields(context: CommandContext, objects: readonly JsonObject[]): Promise<void> {
  const [first] = objects;
  const unknown = (context.flags.fields ?? []).filter((path) =>
    objects.every((object) => valueAt(object, path) === undefined),
  );
  if (!first || unknown.length === 0) return;
  await note(context, `Unknown fields: ${unknown.join(', ')}. Known fields: ${Object.keys(first).join(', ')}`);
}

function put(target: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  // Defined rather than assigned, since a field may be called `__proto__`.
  const set = (content: unknown) =>
    Object.defineProperty(target, name, { value: content, enumerable: true, configurable: true, writable: true });
  if (rest.length === 0) {
    set(value);
    return;
  }
  const known = Object.hasOwn(target, name) ? target[name] : undefined;
  const inner: Record<string, unknown> = isObject(known) ? { ...known } : {};
  put(inner, rest, value);
  set(inner);
}
