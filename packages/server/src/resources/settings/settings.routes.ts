import { type Route, route } from '../../http/route.ts';
import { settings, settingsUpdate } from './settings.schemas.ts';
import { getSettings, updateSettings } from './settings.service.ts';

export const settingsRoutes: readonly Route[] = [
  route('settings.get', { response: settings, handle: (ctx) => getSettings(ctx) }),
  route('settings.update', {
    body: settingsUpdate,
    response: settings,
    handle: (ctx, { body }) => updateSettings(ctx, body),
  }),
];
