// Receiver of deliveries with a fault, which is the path: /hooks/<fault>. GET /effects/<fault> returns the effects so far.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { SECRET, FORMER, TENANT } = process.env;
const state = {};
const stateOf = (fault) => (state[fault] ??= { seen: new Set(), effects: 0, running: 0 });

const server = createServer(async (req, res) => {
  const [, kind, fault] = req.url.split('/');
  const answer = (status, headers = {}) => res.writeHead(status, headers).end();
  if (kind === 'effects') return res.end(String(stateOf(fault).effects));
  if (fault === 'redirect') return answer(308, { location: '/hooks/good' });
  const chunks = [];
  let size = 0;
  for await (const chunk of req) {
    size += chunk.length;
    chunks.push(chunk);
  }
  if (fault === 'small-limit' && size > 100 * 1024) return answer(413);
  const one = stateOf(fault);
  if (fault === 'serial' && one.running > 0) return answer(503);
  one.running += 1;
  try {
    if (fault === 'slow') await new Promise((resolve) => setTimeout(resolve, 3_000));
    if (fault === 'serial') await new Promise((resolve) => setTimeout(resolve, 15));
    const [status] = receive(fault, req.headers, Buffer.concat(chunks), one);
    if (status === 'close') return res.destroy();
    answer(status);
  } catch {
    answer(500);
  } finally {
    one.running -= 1;
  }
});

function receive(fault, headers, body, one) {
  if (fault !== 'no-verify' && !verify(fault, headers['x-platform-signature'], body)) {
    if (fault === 'crash') throw new Error('the signature does not match');
    return [fault === 'close' ? 'close' : 400];
  }
  let event = null;
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {}
  if (typeof event?.id !== 'string' || typeof event.data !== 'object') {
    return [fault === 'no-shape' || fault === 'no-verify' ? 200 : 400];
  }
  if (fault !== 'no-tenant' && fault !== 'no-verify' && event.tenant_id !== TENANT) return [403];
  if (fault === 'strict-types' && !/^(client|group|user|tenant|location|oauth)\./.test(event.type)) return [400];
  if (fault === 'strict-fields' && Object.keys(event).length !== 6) return [422];
  if (fault === 'order' && Date.now() - Date.parse(event.created) > 30_000) return [409];
  if (fault !== 'double-effect' && one.seen.has(event.id)) return [fault === 'conflict' ? 409 : 200];
  one.seen.add(event.id);
  one.effects += 1;
  return [200];
}

function verify(fault, header, body) {
  if (!header) return fault === 'optional';
  const parts = header.split(',').map((part) => part.trim());
  const times = parts.filter((part) => part.startsWith('t='));
  if (times.length !== 1) return false;
  const t = times[0].slice(2);
  if (!/^\d+$/.test(t)) return false;
  const age = Date.now() / 1000 - Number(t);
  const tolerance = fault === 'short-age' ? 60 : 300;
  if (fault !== 'no-age' && age > tolerance) return false;
  if (fault !== 'no-age' && fault !== 'no-future' && age < -tolerance) return false;
  let signed = body;
  if (fault === 'json-again') {
    try {
      signed = JSON.stringify(JSON.parse(body));
    } catch {}
  }
  if (fault === 'latin1') signed = body.toString('latin1');
  const keys = [SECRET, ...(fault === 'empty-secret' ? [''] : []), ...(fault === 'former' ? [FORMER] : [])];
  const expected = keys.map((key) => createHmac('sha256', key).update(`${t}.`).update(signed).digest('hex'));
  let digests = parts.filter((part) => part.startsWith('v1=')).map((part) => part.slice(3));
  if (fault === 'first-v1') digests = digests.slice(0, 1);
  if (fault === 'prefix') return digests.some((digest) => expected.some((own) => own.startsWith(digest)));
  return digests.some((digest) => expected.some((own) => same(digest, own)));
}

function same(a, b) {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

server.listen(0, '127.0.0.1', () => console.log(server.address().port));
