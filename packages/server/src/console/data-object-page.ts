import type { JsonSchema } from '@plat/contract/schemas';
import { type Html, type HtmlValue, html, isolated } from '../http/html.ts';
import { mayEnter, type Room } from './access.ts';
import {
  type ApiObject,
  answerOf,
  commandsOf,
  consequenceOf,
  filledPath,
  type PageOperation,
} from './api-operation.ts';
import type { Collection, ObjectAction, PagedCollection } from './data-collections.ts';
import { hrefOfId } from './data-links.ts';
import { createLink, doneWords, hasOwnRead, readCollection, readRelated, rowsOf } from './data-list-page.ts';
import { nameOf, navOf, rowIdOf, trailOf } from './data-names.ts';
import { HISTORY, type HistoryTab, hasEvents, historyOf, historyTabs } from './data-tabs.ts';
import { form } from './forms.ts';
import type { SignedInPage } from './layout.ts';
import { type References, readReferences } from './named-object.ts';
import type { PageCall } from './page-route.ts';
import { copyId, kv } from './parts/kv.ts';
import { labelOf } from './parts/label.ts';
import { fieldsOf } from './parts/schema-form.ts';
import { shownValue } from './parts/schema-value.ts';
import { tabs } from './parts/tabs.ts';
import { doneNotice } from './texts.ts';

/** Page of one object: its parts as tabs, and its fields beside them. */
export async function objectPage(
  call: PageCall,
  collection: PagedCollection,
  object: ApiObject,
  chosen: string | undefined,
): Promise<SignedInPage> {
  const { base, prefix, ids, query } = call;
  const { get, related = [], one, above } = collection;
  const path = prefix + filledPath(get, ids);
  const lists = related.filter((each) => mayEnter(call.session, each.collection.room, 'read'));
  const names = [...lists.map(({ tab }) => tab), ...historyTabs(call, hasEvents(collection))];
  const tab = chosen ?? names[0];
  const own = `${base}${path}/${tab}`;
  // A change of a row without a page led back to its tab.
  const changed = related.find((each) => each.tab === chosen)?.collection ?? collection;
  const created = changed.created ?? `${labelOf(changed.one)} created.`;
  return {
    title: nameOf(collection, object),
    heading: isolated(nameOf(collection, object)),
    here: prefix + navOf(collection),
    below: trailOf(call, collection),
    badges: 'status' in object && html` ${shownField(call, get, 'status', object)}`,
    meta: collection.named !== 'id' && copyId(rowIdOf(collection, object)),
    actions: actionsOf(call, collection, object),
    body: html`${doneNotice(query['done'], { saved: 'Saved.', created, ...doneWords(changed) })}
${above?.(object)}
<div class="cols"><div>
${tabs(
  `Parts of this ${one}`,
  names.map((name) => ({ href: `${base}${path}/${name}`, words: labelOf(name), isCurrent: name === tab })),
)}
<section aria-labelledby="tab" class="tab-body">${tab !== undefined && (await tabContent(call, collection, object, { tab, own }))}</section></div>
<aside aria-labelledby="details"><h2 id="details">Details</h2>
<div class="section-kv">${await factsOf(call, get, object, [collection.named, 'status', 'id'])}</div>
${commandsOf(get, ids)}</aside></div>`,
  };
}

async function tabContent(
  call: PageCall,
  collection: Collection,
  object: ApiObject,
  { tab, own }: { readonly tab: string; readonly own: string },
): Promise<Html> {
  const { base, prefix } = call;
  const found = collection.related?.find((each) => each.tab === tab);
  const head = (action: HtmlValue) =>
    html`<div class="section-head tab-head"><h2 id="tab">${labelOf(tab)}</h2>${action}</div>`;
  if (found && hasOwnRead(found)) {
    const listed = await readRelated(call, found);
    const isEmpty = listed.list.data.length === 0;
    return html`${head(null)}${(isEmpty && found.none?.(call.ids)) || rowsOf(call, listed, { own, create: false })}`;
  }
  if (found) {
    const fixed = found.filter?.(object) ?? {};
    const prefilled = found.filter ? `?${new URLSearchParams(fixed)}` : '';
    const newPath = `${base}${prefix}${filledPath(found.collection.list, call.ids)}/new${prefilled}`;
    const create = createLink(call, found.collection, newPath);
    const listed = await readCollection(call, found.collection, fixed);
    return html`${head(listed.list.data.length > 0 && create)}${rowsOf(call, listed, { own, create })}`;
  }
  const id = rowIdOf(collection, object);
  const isAbout = (path: string) => path.includes(id);
  return html`${head(null)}${await historyOf(call, { tab: tab as HistoryTab, id, isAbout, own })}`;
}

/** Returns the room whose rows a tab shows. */
export function roomOfTab({ room, related = [] }: Collection, tab: string): Room {
  const found = related.find((each) => each.tab === tab);
  return found?.collection.room ?? HISTORY.find((each) => each === tab) ?? room;
}

/** Returns the names of all tabs of an object of a collection. */
export function tabsOf(collection: Collection): readonly string[] {
  const history = HISTORY.filter((tab) => tab !== 'events' || hasEvents(collection));
  return [...(collection.related ?? []).map(({ tab }) => tab), ...history];
}

/** The fields of an object, as the API describes them. */
export async function factsOf(
  call: PageCall,
  get: PageOperation,
  object: ApiObject,
  without: readonly string[] = [],
): Promise<Html> {
  const references = await readReferences(call, [object]);
  // A list of objects has its own table.
  const isFact = ([name, field]: readonly [string, JsonSchema]) =>
    name !== 'object' && !without.includes(name) && field.items?.type !== 'object';
  const names = fieldsOf(answerOf(get)).filter(isFact);
  return kv(names.map(([name]) => [labelOf(name), shownField(call, get, name, object, references)]));
}

function shownField(
  call: PageCall,
  get: PageOperation,
  name: string,
  object: ApiObject,
  references: References = new Map(),
): HtmlValue {
  const { properties = {} } = answerOf(get);
  return shownValue(properties[name] ?? {}, name, object, { hrefOf: hrefOfId(call), references });
}

function actionsOf(call: PageCall, collection: PagedCollection, object: ApiObject): HtmlValue {
  const { base, prefix, ids, session } = call;
  const { room, get, update, mayUpdate, actions = [] } = collection;
  if (!mayEnter(session, room, 'change')) return null;
  const own = base + prefix + filledPath(get, ids);
  const isEditable = update !== undefined && (mayUpdate?.(object) ?? true);
  const button = ({ verb, button: words, operation }: ObjectAction) =>
    consequenceOf(operation) === undefined
      ? form(
          { session, action: `${own}/${verb}`, look: 'inline' },
          html`<button type="submit" class="btn">${words}</button>`,
        )
      : html`<a class="btn btn-danger" href="${own}/${verb}">${words}</a>`;
  const offered = actions.filter(({ applies }) => applies?.(object) ?? true);
  return html`${isEditable && html`<a class="btn" href="${own}/edit">Edit</a>`}${offered.map(button)}`;
}
