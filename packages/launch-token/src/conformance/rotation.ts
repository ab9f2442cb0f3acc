import { type Case, findRefused, launch, refuses } from './case.ts';
import { VERIFY } from './refused.ts';

/** Cases of keys that come and go. They are tried last, because the key set differs after them. */
export const ROTATION: readonly Case[] = [
  {
    name: 'rotated-key',
    title: 'accepts a key that was published after the key set was fetched',
    run(receiver) {
      receiver.issuer.publishNextKey();
      const advice = 'Fetch the key set again when it has no key with the kid of the token, then look once more.';
      return findRefused(receiver, advice, { 'a token of a newly published key': { key: 'next' } });
    },
  },
  {
    name: 'former-key',
    title: 'accepts the key before a rotation while it is published',
    async run(receiver) {
      receiver.issuer.publishNextKey();
      // Its kid is unknown, so that the receiver fetches the key set with both keys.
      await launch(receiver, { key: 'next' });
      const advice = 'Choose the key by kid among all keys of the key set: it has two or more during a rotation.';
      return findRefused(receiver, advice, { 'a token of the key before the rotation': {} });
    },
  },
  // The last case, because receivers limit how often unknown kids cause a fetch of the key set.
  refuses('unknown-kid', 'refuses a kid that is not published', VERIFY, {
    'a token with an unpublished kid': { key: 'foreign' },
  }),
];
