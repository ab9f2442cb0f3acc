import { consolePath, idsOf, readObject } from './api-operation.ts';
import { actionRoutes } from './data-action-routes.ts';
import { APP_REPLAYS, COLLECTIONS, type Collection, isPaged, type PagedCollection } from './data-collections.ts';
import { createRoutes, editableOf, updateRoutes } from './data-form-routes.ts';
import { collectionPage, readCollection } from './data-list-page.ts';
import { objectPage, roomOfTab, tabsOf } from './data-object-page.ts';
import { DEVELOPERS } from './mount-pages.ts';
import type { PageRoute } from './page-route.ts';
import { settingsRoutes } from './settings-routes.ts';

/** The data of a tenant: each kind of object with its list, its page, its forms and its history. */
export const dataRoutes: readonly PageRoute[] = [...COLLECTIONS.flatMap(routesOf), ...settingsRoutes];

/** The replays of an app, which only developers have. */
export const appReplayRoutes: readonly PageRoute[] = routesOf(APP_REPLAYS).map((route) => ({
  ...route,
  path: DEVELOPERS.prefix + route.path,
}));

function routesOf(collection: Collection): readonly PageRoute[] {
  const { room, list, related = [], actions = [], standsFor, nav } = collection;
  // The page of another object shows the list.
  const isNested = idsOf(list).length > 0 && nav === undefined;
  const nested = related
    .filter(({ filter, read }) => filter === undefined && read === undefined)
    .map((each) => each.collection);
  const listRoute: PageRoute = {
    room,
    method: 'GET',
    path: consolePath(list),
    handle: async (call) => ({ page: collectionPage(call, await readCollection(call, collection)) }),
  };
  return [
    ...(isNested ? [] : [listRoute]),
    // Before the page of an object, whose path has an id in the same place.
    ...createRoutes(collection),
    ...editableOf(collection).flatMap(updateRoutes),
    ...(isPaged(collection) ? actions.flatMap((action) => actionRoutes(collection, action)) : []),
    ...(isPaged(collection) && !standsFor
      ? [undefined, ...tabsOf(collection)].map((tab) => objectRoute(collection, tab))
      : []),
    ...nested.flatMap(routesOf),
  ];
}

/** The page of an object with one of its tabs, which requires the room of the tab too. */
function objectRoute(collection: PagedCollection, tab: string | undefined): PageRoute {
  const { room, get } = collection;
  return {
    room: tab === undefined ? room : roomOfTab(collection, tab),
    method: 'GET',
    path: consolePath(get) + (tab === undefined ? '' : `/${tab}`),
    within: room,
    handle: async (call) => ({ page: await objectPage(call, collection, await readObject(call, get, call.ids), tab) }),
  };
}
