import { timeOfId } from '@plat/contract';
import { describe, expect, it } from 'vitest';
import { type ListenOptions, readInvocation } from './invocation.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const to = 'http://localhost:3000/hooks';

const read = (options: Partial<ListenOptions>) => readInvocation({ to, ...options }, [], NOW);

function beginOf(options: Partial<ListenOptions>): number | string | null {
  const { begin } = read(options);
  return begin !== null && begin !== 'now' ? timeOfId(begin.from) : begin;
}

describe('--to', () => {
  it.each(['http://localhost:3000/hooks', 'https://[::1]:8443/', 'http://10.0.0.7/a?b=c'])('accepts %s', (url) => {
    expect(read({ to: url }).to).toBe(url);
  });

  it.each([
    ['localhost:3000/hooks', 'Is http://localhost:3000/hooks meant?'],
    ['3000', 'Is http://localhost:3000 meant?'],
    ['ftp://localhost/', undefined],
    ['http://ada:secret@localhost/', undefined],
    ['hooks', undefined],
  ])('refuses %s', (url, hint) => {
    expect(() => read({ to: url })).toThrow(
      expect.objectContaining({ code: 'USAGE', advice: { hint }, message: expect.not.stringContaining('secret') }),
    );
  });
});

describe('--events', () => {
  it('are types, separated by commas or repeated', () => {
    expect(read({ events: ['client.created, client.updated', 'user.invited'] }).wanted).toEqual(
      new Set(['client.created', 'client.updated', 'user.invited']),
    );
  });

  it.each([[undefined], [['*']], [['client.created,*']], [[' ']]])('%j means all types', (events) => {
    expect(read(events ? { events } : {}).wanted).toBeNull();
  });

  it.each([
    ['client.create', 'Did you mean client.created?'],
    ['clients.deleted', 'Did you mean client.deleted?'],
    ['group.member-added', 'Did you mean group.member_added?'],
    ['x', undefined],
  ])('suggests the closest type for the unknown %s', (type, hint) => {
    expect(() => read({ events: ['client.created', type] })).toThrow(
      expect.objectContaining({ code: 'USAGE', advice: expect.objectContaining({ hint }) }),
    );
  });
});

describe('--app', () => {
  it('selects the event types of an app', () => {
    expect(read({ app: 'app_1', events: ['installation.revoked'] })).toMatchObject({
      app: 'app_1',
      wanted: new Set(['installation.revoked']),
    });
  });

  it.each([
    [{ events: ['app.disabled'] }, /event type of an app/, { next: expect.stringContaining('--app <app_id>') }],
    [{ app: 'app_1', events: ['client.created'] }, /event type of tenants/, { next: expect.stringContaining('--app') }],
    [{ app: 'app_1', events: ['app.verify'] }, /not an event type/, { hint: 'Did you mean app.verified?' }],
  ])('refuses %j', (options, message, advice) => {
    const refused = expect.objectContaining({
      code: 'USAGE',
      message: expect.stringMatching(message),
      advice: expect.objectContaining(advice),
    });
    expect(() => read(options)).toThrow(refused);
  });
});

describe('--since', () => {
  it.each([
    ['2026-01-02T03:00:00Z', Date.UTC(2026, 0, 2, 3)],
    ['2026-01-01', Date.UTC(2026, 0, 1)],
    ['30s', NOW - 30_000],
    ['10m', NOW - 600_000],
    ['2h', NOW - 7_200_000],
    ['1d', NOW - 86_400_000],
  ])('accepts %s', (since, at) => {
    expect(beginOf({ since })).toBe(at);
  });

  it.each(['yesterday', '5', '10x', '-1h', '2026'])('refuses %s', (since) => {
    expect(() => read({ since })).toThrow(/--since takes a time/);
  });

  it('overrides the cursor, as --skip-history does', () => {
    expect(beginOf({ skipHistory: true })).toBe('now');
    expect(beginOf({})).toBeNull();
    expect(() => read({ since: '1h', skipHistory: true })).toThrow(/exclude each other/);
  });
});

describe('--once', () => {
  it('defaults to one event, and accepts a number', () => {
    expect([read({}).count, read({ once: true }).count, read({ once: '7' }).count]).toEqual([null, 1, 7]);
    for (const once of ['0', 'two', '1.5']) expect(() => read({ once })).toThrow(/number of events/);
  });
});
