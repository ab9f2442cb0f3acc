import type { Context } from '../context.ts';
import type { Room } from './access.ts';
import {
  type ApiObject,
  bodyOf,
  consolePath,
  filledPath,
  idsOf,
  type PageOperation,
  readObject,
  readPage,
  runOperation,
} from './api-operation.ts';
import type { Collection } from './data-collections.ts';
import { dataFormPage, linkToHolder, refusedChange } from './data-form-pages.ts';
import { nameOf, navOf, rowIdOf, trailOf } from './data-names.ts';
import { enteredClient } from './entered-client.ts';
import { type ProblemLinks, type Problems, refuseStale } from './forms.ts';
import type { Entry, SignedInPage } from './layout.ts';
import type { PageCall, PageRoute } from './page-route.ts';
import { bodyFrom, fieldNames, type Typed, typedObject } from './parts/schema-form.ts';

/** The form for a new object. */
export function createRoutes(collection: Collection): readonly PageRoute[] {
  const { room, list, get, create, createButton, one, standsFor } = collection;
  if (create === undefined) return [];
  const path = `${consolePath(list)}/new`;
  const shown = (call: PageCall, typed: Typed, problems: Problems, links: ProblemLinks): Promise<SignedInPage> => {
    const at = call.prefix + filledPath(list, call.ids);
    const button = createButton ?? `Create ${one}`;
    return dataFormPage(call, {
      title: button,
      here: call.prefix + navOf(collection),
      below: trailOf(call, collection),
      operation: create,
      action: `${call.base}${at}/new`,
      ...{ typed, problems, links, button, backTo: call.base + at, isNew: true },
    });
  };
  /** The object that the new one belongs to must exist. */
  const requireParent = async (call: PageCall): Promise<void> => {
    if (idsOf(list).length > 0) await readPage(call, list, call.ids, { limit: 1 });
  };
  return [
    {
      room,
      needs: 'change',
      method: 'GET',
      path,
      async handle(call) {
        await requireParent(call);
        // A link can fill the form in.
        return { page: await shown(call, prefilled(call.query), {}, {}) };
      },
    },
    {
      room,
      method: 'POST',
      path,
      async handle(call) {
        const { prefix, ids, fields } = call;
        await requireParent(call);
        try {
          const given = await chosen(call, create);
          const made = await runOperation(call, create, ids, bodyFrom(bodyOf(create), given, null, call.now));
          const target =
            standsFor || !get
              ? filledPath(list, ids)
              : filledPath(get, { ...ids, [idsOf(get).at(-1) ?? '']: rowIdOf(collection, made) });
          return { goTo: `${prefix}${target}?done=created` };
        } catch (error) {
          const { status, problems } = refusedChange(error, create);
          return { status, page: await shown(call, fields, problems, await linkToHolder(call, error, create)) };
        }
      },
    },
  ];
}

/**
 * Returns the fields of a posted form with the id of the client that the person entered.
 * @throws {@link ApiError} INVALID_BODY
 */
async function chosen(call: PageCall, operation: PageOperation): Promise<Typed> {
  const { fields } = call;
  const { client_id: client = '' } = fields;
  if (client === '' || !fieldNames(bodyOf(operation)).includes('client_id')) return fields;
  return { ...fields, client_id: await enteredClient(call, client) };
}

/** Returns the fields of a link, without characters that a person would not see in the form. */
function prefilled(query: Typed): Typed {
  const unseen = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, value.replaceAll(unseen, '')]));
}

/** An object with a form for its fields. */
export interface Editable {
  readonly room: Room;
  readonly get: PageOperation;
  readonly update: PageOperation;
  nameOf(object: ApiObject): string;
  trail(call: PageCall): readonly Entry[];
  /** Path of the page of the object, without the prefix. */
  home(call: PageCall): string;
}

/** The form for the fields of an object. It sends only the changed ones. */
export function updateRoutes({ room, get, update, nameOf: named, trail, home }: Editable): readonly PageRoute[] {
  const path = `${consolePath(get)}/edit`;
  const read = async (ctx: Context, { ids }: PageCall) => {
    const object = await readObject({ ctx }, get, ids);
    return { object, typed: typedObject(bodyOf(update), object), seen: String(object['updated_at']) };
  };
  type Read = Awaited<ReturnType<typeof read>>;
  const shown = (
    call: PageCall,
    { object, seen }: Read,
    typed: Typed,
    problems: Problems,
    links: ProblemLinks,
  ): Promise<SignedInPage> => {
    const { base, prefix, ids } = call;
    const [first] = trail(call);
    return dataFormPage(call, {
      title: `Edit ${named(object)}`,
      below: trail(call),
      operation: update,
      action: `${base}${prefix}${filledPath(get, ids)}/edit`,
      ...(first && { here: first.path }),
      ...{ typed, problems, links, seen, button: 'Save changes', backTo: base + prefix + home(call), isNew: false },
    });
  };
  return [
    {
      room,
      needs: 'change',
      method: 'GET',
      path,
      async handle(call) {
        const present = await read(call.ctx, call);
        return { page: await shown(call, present, present.typed, {}, {}) };
      },
    },
    {
      room,
      method: 'POST',
      path,
      async handle(call) {
        const { prefix, ids, fields } = call;
        try {
          const given = await chosen(call, update);
          await call.write(async (ctx) => {
            const present = await read(ctx, call);
            refuseStale(fields['seen'], present.seen);
            const body = bodyFrom(bodyOf(update), given, present.typed, call.now);
            if (Object.keys(body).length > 0) await runOperation({ write: (work) => work(ctx) }, update, ids, body);
          });
          return { goTo: `${prefix}${home(call)}?done=saved` };
        } catch (error) {
          const { status, problems } = refusedChange(error, update);
          const links = await linkToHolder(call, error, update);
          return { status, page: await shown(call, await read(call.ctx, call), fields, problems, links) };
        }
      },
    },
  ];
}

/** The form for an object of a collection. */
export function editableOf(collection: Collection): readonly Editable[] {
  const { room, get, update } = collection;
  if (update === undefined || get === undefined) return [];
  return [
    {
      ...{ room, get, update },
      nameOf: (object) => nameOf(collection, object),
      trail: (call) => [...trailOf(call, collection)],
      home: ({ ids }) => filledPath(get, ids),
    },
  ];
}
