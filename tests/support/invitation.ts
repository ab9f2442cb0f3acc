import type { TestServer } from '@plat/server/testing';

/** Accepts the latest invitation mailed to an address by its link, as a browser does. */
export async function acceptInvitation(server: TestServer, email: string): Promise<Response> {
  const token = await invitationToken(server, email);
  return fetch(`${server.baseUrl}/invitations/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({ token }).toString(),
  });
}

/** Returns the token in the link of the latest invitation mailed to an address. */
export async function invitationToken(server: TestServer, email: string): Promise<string> {
  const mail = (await server.mails()).find(({ to, kind }) => to === email && kind === 'user_invitation');
  const link = /https?:\S+\/invitations\/accept\?token=\S+/.exec(mail?.text ?? '')?.[0];
  const token = link === undefined ? null : new URL(link).searchParams.get('token');
  if (token === null) throw new Error(`no invitation was mailed to ${email}`);
  return token;
}
