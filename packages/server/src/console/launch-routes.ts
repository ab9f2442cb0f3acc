import { ApiError } from '../kernel/api-error.ts';
import { issueLaunchToken } from '../launch/issue-launch-token.ts';
import { readLaunchChoices } from '../launch/launch-choices.ts';
import { launchPage, MODULES_PATH, modulesPage } from './launch-pages.ts';
import type { PageCall, PageRoute } from './page-route.ts';

/** Pages of the tenant's modules, which every user may launch. */
export const launchRoutes: readonly PageRoute<'admin'>[] = [
  {
    room: 'modules',
    method: 'GET',
    path: MODULES_PATH,
    async handle({ session, base, db, query, launchesSandboxes }) {
      const choices = await readLaunchChoices(db, { ...session, clientId: query['client_id'] });
      return { page: modulesPage({ session, base, choices, mayLaunch: mayLaunch({ session, launchesSandboxes }) }) };
    },
  },
  {
    // The token is in the response to the form, like every secret. A reload issues another one.
    room: 'modules',
    method: 'POST',
    path: `${MODULES_PATH}/:id/launch`,
    async handle({ session, launchSigner, launchesSandboxes, id: moduleSlug, fields, change }) {
      if (!mayLaunch({ session, launchesSandboxes })) {
        throw new ApiError('FORBIDDEN', 'From a sandbox, no module can be launched on this server');
      }
      const { client_id: clientId, group_id: groupId } = fields;
      if (clientId === undefined) throw new ApiError('INVALID_REQUEST', 'Choose the client to launch the module in');
      const launch = { moduleSlug, clientId, userId: session.userId, groupId: groupId === '' ? undefined : groupId };
      const { token, module } = await change((open) => issueLaunchToken(open, launchSigner, launch));
      return { page: launchPage({ token, module }), formOrigin: module.launchUrl.origin };
    },
  },
];

function mayLaunch({ session, launchesSandboxes }: Pick<PageCall<'admin'>, 'session' | 'launchesSandboxes'>): boolean {
  return launchesSandboxes || !session.sandbox;
}
