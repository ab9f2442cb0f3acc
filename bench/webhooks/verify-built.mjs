// Compares verifySignature of the built package with the HMAC of the Node that runs this, at 1 KiB. Prints the ratio of each round.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createVerifier, signDelivery } from '@plat/webhooks';

const CALLS = 10_000;
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const body = Buffer.from(JSON.stringify({ data: 'x'.repeat(1013) }));
const timestamp = Math.floor(Date.now() / 1000);
const headers = {
  'content-type': 'application/json',
  'x-platform-event': 'client.created',
  'x-platform-event-id': 'evt_01k9zq3v5h6x8m2n4p7r9t1w3z',
  'x-platform-delivery-id': 'del_01k9zq3v5h6x8m2n4p7r9t1w3y',
  'x-platform-signature': signDelivery({ body, secrets: [SECRET], timestamp }),
};
const verifier = createVerifier({ secrets: SECRET });
const digestOf = () => createHmac('sha256', SECRET).update(`${timestamp}.`).update(body).digest();
const expected = digestOf();

const ratios = Array.from({ length: Number(process.argv[2]) + 1 }, () => {
  const bare = cpuMicros(() => timingSafeEqual(digestOf(), expected));
  return bare / cpuMicros(() => verifier.verifySignature(body, headers));
});
// The first round is a warm-up.
console.log(JSON.stringify({ version: process.version, ratios: ratios.slice(1) }));

function cpuMicros(call) {
  const before = process.cpuUsage();
  for (let n = 0; n < CALLS; n++) call();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
