import { describe, expect, it } from 'vitest';
import type { Life } from '../tally/herd.ts';
import type { DeliveryRow } from '../tally/ledger.ts';
import { randomOf } from '../tally/random.ts';
import type { Arrival } from '../tally/receivers.ts';
import { type Evidence, reckon } from '../tally/reckon.ts';

const AT = '2026-01-02T03:04:05.678Z';
const URL = 'http://127.0.0.1:1/healthy/0';

const arrival = (serial: number, given: Partial<Arrival> = {}): Arrival => ({
  serial,
  deliveryId: 'del_1',
  eventId: 'evt_1',
  url: URL,
  sender: 1,
  at: serial * 1_000,
  answered: 200,
  ...given,
});
const row = (given: Partial<DeliveryRow> = {}): DeliveryRow => ({
  id: 'del_1',
  event_id: 'evt_1',
  endpoint_id: 'whe_1',
  attempt: 1,
  status: 'succeeded',
  scheduled_at: 0,
  response_status: 200,
  response_body: 'arrival 1',
  error: null,
  ...given,
});
const pending = (given: Partial<DeliveryRow> = {}): DeliveryRow =>
  row({ status: 'pending', scheduled_at: 1_000, response_status: null, response_body: null, ...given });
const life = (serial: number, killedAt: number | null = null): Life => ({
  serial,
  pid: serial,
  spawnedAt: 0,
  isReady: true,
  baseUrl: null,
  killedAt,
});

/** One change, committed with its event and delivered at once, with the given differences. */
function evidence({
  deliveries = [row()],
  arrivals = [arrival(1)],
  lives = [life(1), life(2)],
  ...given
}: Partial<Evidence> & { deliveries?: DeliveryRow[] } = {}): Evidence {
  const event = { id: 'evt_1', tenantId: 'tnt_1', type: 'client.created', clientId: 'cli_1', updatedAt: AT };
  return {
    ledger: { clients: [{ id: 'cli_1', updated_at: Date.parse(AT) }], events: [event], deliveries },
    arrivals,
    lives,
    answered: [{ clientId: 'cli_1', updatedAt: AT }],
    endpoints: [{ id: 'whe_1', tenantId: 'tnt_1', url: URL, temper: 'healthy' }],
    drainedAt: 0,
    hadRunOut: () => false,
    ...given,
  };
}
const faultsOf = (given: Evidence): string[] => reckon(given).faults.map(({ fault }) => fault);

describe('the tally', () => {
  it('finds no fault where everything arrived once', () => {
    expect(reckon(evidence())).toEqual({
      changes: { answered: 1, committed: 1 },
      deliveries: { committed: 1, delivered: 1, due: 0, failed: 0 },
      attempts: { arrived: 1, again: { killed: 0, stalled: 0 }, unheard: 0 },
      faults: [],
    });
  });

  it('finds acknowledged changes that are missing, and stored changes without an event', () => {
    const answered = [{ clientId: 'cli_2', updatedAt: AT }];
    expect(faultsOf(evidence({ answered }))).toEqual(['unsaved']);
    const { ledger, ...rest } = evidence();
    const client = { id: 'cli_2', updated_at: Date.parse(AT) };
    const clients = [...ledger.clients, client];
    expect(new Set(faultsOf({ ...rest, ledger: { ...ledger, clients } }))).toEqual(new Set(['eventless']));
  });

  it('finds a missing delivery, and one whose next attempt is missing', () => {
    expect(faultsOf(evidence({ deliveries: [], arrivals: [] }))).toEqual(['lost']);
    const retrying = row({ status: 'retrying', response_status: 500 });
    expect(faultsOf(evidence({ deliveries: [retrying], arrivals: [arrival(1, { answered: 500 })] }))).toEqual(['lost']);
  });

  it('counts due deliveries, and finds those that were due before the end', () => {
    const due = evidence({ deliveries: [pending()], arrivals: [] });
    expect(reckon(due)).toMatchObject({ deliveries: { due: 1 }, faults: [] });
    expect(faultsOf({ ...due, drainedAt: 1_000 })).toEqual(['overdue']);
  });

  it('finds an attempt that is stored twice', () => {
    expect(faultsOf(evidence({ deliveries: [row(), pending({ id: 'del_2' })] }))).toEqual(['doubled']);
  });

  it('finds arrivals that were not committed, or came to the wrong receiver', () => {
    expect(faultsOf(evidence({ arrivals: [arrival(1), arrival(2, { eventId: 'evt_2' })] }))).toContain('invented');
    expect(faultsOf(evidence({ arrivals: [arrival(1, { url: 'http://127.0.0.1:1/slow/0' })] }))).toEqual(['invented']);
  });

  it('finds outcomes of responses that no receiver sent', () => {
    expect(faultsOf(evidence({ arrivals: [] }))).toEqual(['unanswered']);
    expect(faultsOf(evidence({ arrivals: [arrival(1, { answered: 500 })] }))).toEqual(['unanswered']);
    expect(faultsOf(evidence({ deliveries: [row({ response_status: null })] }))).toEqual(['unanswered']);
  });

  describe('of an attempt that arrived twice', () => {
    const twice = [arrival(1), arrival(2, { sender: 2 })];
    const deliveries = [row({ response_body: 'arrival 2' })];

    it('excuses one that was in flight when its process was killed', () => {
      const given = evidence({ arrivals: twice, deliveries, lives: [life(1, 1_500), life(2)] });
      expect(reckon(given)).toMatchObject({ attempts: { again: { killed: 1, stalled: 0 } }, faults: [] });
    });

    it('excuses one whose process had let its lease expire', () => {
      const given = evidence({
        arrivals: twice,
        deliveries,
        hadRunOut: (endpointId, { serial }, sent, at) =>
          `${endpointId} ${serial} ${sent.at} ${at}` === 'whe_1 1 1000 2000',
      });
      expect(reckon(given)).toMatchObject({ attempts: { again: { killed: 0, stalled: 1 } }, faults: [] });
    });

    it.each([
      ['whose process is running', twice, deliveries, [life(1), life(2)]],
      ['whose process was killed later', twice, deliveries, [life(1, 2_500), life(2)]],
      ['that came from one process', [arrival(1), arrival(2)], deliveries, [life(1, 1_500), life(2)]],
      ['whose outcome was written', twice, [row()], [life(1, 1_500), life(2)]],
      ['whose process is unknown', [arrival(1, { sender: 9 }), twice[1]], deliveries, [life(1, 1_500), life(2)]],
    ] as [string, Arrival[], DeliveryRow[], Life[]][])('does not excuse one %s', (_, arrivals, rows, lives) => {
      expect(faultsOf(evidence({ arrivals, deliveries: rows, lives }))).toEqual(['repeated']);
    });
  });

  it('chooses the same items for the same seed', () => {
    const [one, same, other] = [randomOf(1), randomOf(1), randomOf(2)].map((random) => [random(), random(), random()]);
    expect(one).toEqual(same);
    expect(one).not.toEqual(other);
  });
});
