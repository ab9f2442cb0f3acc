import { html, isolated } from '../http/html.ts';
import { consequenceOf, consolePath, filledPath, readObject, runOperation } from './api-operation.ts';
import type { ObjectAction, PagedCollection } from './data-collections.ts';
import { refusedChange } from './data-form-pages.ts';
import { navOf, readName, trailOf } from './data-names.ts';
import { form, type Problems, problemSummary } from './forms.ts';
import type { SignedInPage } from './layout.ts';
import type { PageCall, PageRoute } from './page-route.ts';
import { confirmation } from './texts.ts';

/** The button of a change of one object, and the page that confirms it. */
export function actionRoutes(collection: PagedCollection, action: ObjectAction): readonly PageRoute[] {
  const { room, list, get } = collection;
  const { operation, verb, removes = false } = action;
  const path = `${consolePath(get)}/${verb}`;
  const shown = async (call: PageCall, problems: Problems): Promise<SignedInPage> =>
    confirmationPage(call, collection, action, problems);
  return [
    {
      room,
      needs: 'change',
      method: 'GET',
      path,
      handle: async (call) => ({ page: await shown(call, {}) }),
    },
    {
      room,
      method: 'POST',
      path,
      async handle(call) {
        const { prefix, ids } = call;
        try {
          await runOperation(call, operation, ids);
          return { goTo: `${prefix}${filledPath(removes ? list : get, ids)}?done=${verb}` };
        } catch (error) {
          const { status, problems } = refusedChange(error);
          return { status, page: await shown(call, problems) };
        }
      },
    },
  ];
}

async function confirmationPage(
  call: PageCall,
  collection: PagedCollection,
  { operation, verb, button }: ObjectAction,
  problems: Problems,
): Promise<SignedInPage> {
  const { base, prefix, ids, session } = call;
  const { list, get, standsFor } = collection;
  const object = await readObject(call, get, ids);
  const name = await readName(call, collection, object);
  const at = prefix + filledPath(get, ids);
  const parents = trailOf(call, collection);
  return {
    title: `${button}?`,
    here: prefix + navOf(collection),
    below: standsFor ? parents : [...parents, { path: at, words: name }],
    lede: isolated(name),
    narrow: true,
    body: html`${problemSummary(problems)}
${confirmation({
  words: html`<p>${consequenceOf(operation) ?? 'The change takes effect at once.'}</p>`,
  form: form(
    { session, action: `${base}${at}/${verb}`, look: 'inline' },
    html`<button type="submit" class="btn btn-danger">${button}</button>`,
  ),
  backTo: base + (standsFor ? prefix + filledPath(list, ids) : at),
})}`,
  };
}
