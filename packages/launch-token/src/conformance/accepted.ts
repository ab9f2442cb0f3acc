import { accepts, type Case, findRefused, launch, refusalOf } from './case.ts';

/** Number of launches that are sent at once. */
const PARALLEL = 20;

/** Number of launches in which a receiver must not fetch the key set each time. */
const REPEATED = 5;

/** The valid launch, without which a refusal means nothing. */
export const VALID: Case = {
  name: 'valid',
  title: 'accepts a valid token',
  run: (receiver) => {
    const { issuer, audience } = receiver;
    const advice = `Check the URL, its method POST and the form field launch_token, and that the receiver trusts the issuer ${issuer.url} and has the audience ${audience}. If it checks Origin, send that header with each request, as browsers do. Restart a receiver that was tested a moment ago: it may limit how often it fetches keys.`;
    return findRefused(receiver, advice, { 'a valid token': {} });
  },
};

/** Cases of valid launches. A correct receiver answers each with 2xx, or with 303 to its first page. */
export const ACCEPTED: readonly Case[] = [
  accepts(
    'cross-site',
    'accepts the post of a page of the platform',
    'Exempt the route from checks of Origin, Referer and CSRF tokens, or allow the origin of the platform there: the form is on another site, and the token is the proof.',
    ({ issuer }) => ({
      'a post with the origin of the issuer, as browsers send it': {
        headers: {
          Origin: new URL(issuer.url).origin,
          'Sec-Fetch-Site': 'cross-site',
          'Sec-Fetch-Mode': 'navigate',
          'Sec-Fetch-Dest': 'document',
        },
      },
    }),
  ),
  accepts(
    'unknown-claims',
    'accepts claims that it does not know',
    'Ignore unknown claims: later versions of the platform add some.',
    { 'a token with new claims': { claims: { sub: 'usr_1', plan: { name: 'gold', seats: [1, 2] } } } },
  ),
  accepts(
    'without-groups',
    'accepts a token without groups',
    'Treat groupId and groupMemberships as optional: the token has no groupId when no group is selected.',
    {
      'a token without groupId': { claims: { groupId: undefined } },
      'a token without groupMemberships': { claims: { groupId: undefined, groupMemberships: undefined } },
      'a token of a user without groups': { claims: { groupId: undefined, groupMemberships: [] } },
    },
  ),
  accepts(
    'non-ascii',
    'accepts characters beyond ASCII',
    'Decode the parts of the token as base64url, and the result as UTF-8.',
    { 'a token with characters beyond ASCII': { claims: { groupMemberships: [group('Grüße – 東京 🚀 ÿ?>')] } } },
  ),
  accepts(
    'large-token',
    'accepts a token of 15 KiB',
    'Raise the limit of the form to at least 32 KiB: a token with many groups has up to 16 KiB.',
    {
      'a token with many groups': {
        claims: { groupMemberships: Array.from({ length: 105 }, () => group('North and South')) },
      },
    },
  ),
  {
    name: 'no-entitlements',
    title: 'accepts a token without entitlements',
    async run(receiver) {
      if (receiver.entitlement !== undefined) return { skipped: 'The receiver requires an entitlement.' };
      const advice = 'Treat an empty list of entitlements as valid: it is required, and may be empty.';
      return findRefused(receiver, advice, {
        'a token with an empty list of entitlements': { claims: { entitlements: [] } },
      });
    },
  },
  {
    name: 'parallel',
    title: `accepts ${PARALLEL} launches at once`,
    async run(receiver) {
      const responses = await Promise.all(Array.from({ length: PARALLEL }, () => launch(receiver)));
      const advice = 'Accept launches in parallel.';
      const problems = responses.map((response) => refusalOf(response, `one of ${PARALLEL} launches at once`, advice));
      return problems.find((problem) => problem !== null) ?? null;
    },
  },
  {
    name: 'cached-keys',
    title: 'does not fetch the key set for each launch',
    async run(receiver) {
      const { issuer } = receiver;
      const before = issuer.keySetRequests;
      const advice = 'Answer each valid launch.';
      const launches = Array.from({ length: REPEATED }, (_, at) => [`launch ${at + 1} in a row`, {}] as const);
      const problem = await findRefused(receiver, advice, Object.fromEntries(launches));
      if (problem || issuer.keySetRequests - before < REPEATED) return problem;
      return {
        problem: `It fetched the key set ${issuer.keySetRequests - before} times for ${REPEATED} launches`,
        advice: 'Cache the key set for at most an hour, and fetch it again only for an unknown kid.',
      };
    },
  },
];

function group(name: string): object {
  return { id: 'grp_01k0z8k3v7e5q2m9t4r6w1x8c0', name, isOwner: true };
}
