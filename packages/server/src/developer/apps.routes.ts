import { requestVerification } from '../oauth/app-verification.ts';
import { app, appCreate, appSecretRotate, appUpdate, appWithSecret } from '../oauth/apps.schemas.ts';
import { getApp, listApps, registerApp, rotateAppSecret, updateApp } from '../oauth/apps.service.ts';
import { anyList } from './account.schemas.ts';
import { type DeveloperRoute, developerRoute } from './developer-route.ts';

/** The OAuth apps of the developer. Their rules are those of the console. */
export const appRoutes: readonly DeveloperRoute[] = [
  developerRoute('apps.list', {
    query: anyList,
    response: app,
    handle: ({ db, credential }, { query }) => listApps(db, credential.actor.id, query),
  }),
  developerRoute('apps.register', {
    body: appCreate,
    response: appWithSecret,
    errors: ['APP_LIMIT'],
    handle: (ctx, { body }) => registerApp(ctx, ctx.credential.actor.id, body),
  }),
  developerRoute('apps.get', {
    response: app,
    errors: ['APP_NOT_FOUND'],
    handle: ({ db, credential }, { path }) => getApp(db, credential.actor.id, path.app_id),
  }),
  developerRoute('apps.update', {
    body: appUpdate,
    response: app,
    errors: ['APP_NOT_FOUND', 'APP_NAME_PROTECTED'],
    handle: (ctx, { path, body }) => updateApp(ctx, ctx.credential.actor.id, path.app_id, body),
  }),
  developerRoute('apps.rotate_secret', {
    body: appSecretRotate,
    response: appWithSecret,
    errors: ['APP_NOT_FOUND'],
    handle: (ctx, { path, body }) => rotateAppSecret(ctx, ctx.credential.actor.id, path.app_id, body),
  }),
  developerRoute('apps.request_verification', {
    response: app,
    errors: ['APP_NOT_FOUND'],
    handle: (ctx, { path }) => requestVerification(ctx, ctx.credential.actor.id, path.app_id),
  }),
];
