import { type Route, route } from '../../http/route.ts';
import { getSettings, updateSettings } from './settings.service.ts';

export const settingsRoutes: readonly Route[] = [
  route('settings.get', { handle: (ctx) => getSettings(ctx) }),
  route('settings.update', {
    handle: (ctx, { body }) => updateSettings(ctx, body),
  }),
];
