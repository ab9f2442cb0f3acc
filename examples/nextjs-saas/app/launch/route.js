import { launchHandler } from '@plat/launch-token/web';
import { writeSession } from '../../lib/session.js';

let receive;

export async function POST(request) {
  receive ??= launchHandler(
    { issuer: process.env.PLAT_BASE_URL, audience: process.env.PLAT_AUDIENCE ?? 'analytics' },
    async ({ user, role }) => {
      // In a separate cookie: the form of another site comes without the session.
      await writeSession({ user, role }, { name: 'launch' });
      return new Response(null, { status: 303, headers: { location: '/' } });
    },
  );
  return receive(request);
}
