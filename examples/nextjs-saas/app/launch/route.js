import { launchHandler } from '@plat/launch-token/web';
import { readSession, writeSession } from '../../lib/session.js';

let receive;

export async function POST(request) {
  receive ??= launchHandler(
    { issuer: process.env.PLAT_BASE_URL, audience: process.env.PLAT_AUDIENCE ?? 'analytics' },
    async ({ user, role }) => {
      await writeSession({ ...(await readSession()), launch: { user, role } });
      return new Response(null, { status: 303, headers: { location: '/' } });
    },
  );
  return receive(request);
}
