import { describe, expect, it } from 'vitest';
import { type StreamClients, streamClients } from '../../../../../src/rpc/framework/stream/clients.ts';

const SWAPS = 'SWAP_STATUS';
const ORDERS = 'ORDER_STATUS';

/** Opens a stream, enables, and ends it. */
function visit(clients: StreamClients, id: number, ...enabled: readonly string[]): void {
  const stream = clients.open(id, false);
  for (const streamer of enabled) clients.enable(id, streamer);
  stream.close();
}

describe('what clients of the event stream enable', () => {
  it('is refused of a client without a stream, twice, and when it is not enabled', () => {
    const clients = streamClients();
    expect(clients.enable(7, SWAPS)).toBe('UnknownClient');
    expect(clients.disable(7, SWAPS)).toBe('UnknownClient');
    const stream = clients.open(7, false);
    expect(clients.enable(8, SWAPS)).toBe('UnknownClient');
    expect(clients.disable(7, SWAPS)).toBe('StreamerNotFound');
    expect([clients.enable(7, SWAPS), clients.enable(7, SWAPS)]).toEqual([null, 'ClientAlreadyListening']);
    expect([stream.carries(SWAPS), stream.carries(ORDERS), stream.isEmpty()]).toEqual([true, false, false]);
    expect([clients.disable(7, SWAPS), clients.disable(7, SWAPS)]).toEqual([null, 'StreamerNotFound']);
    expect([stream.carries(SWAPS), stream.isEmpty()]).toEqual([false, true]);
    stream.close();
    expect(clients.enable(7, SWAPS)).toBe('UnknownClient');
  });

  it('is of that client alone, and of all of its streams, until the last has ended', () => {
    const clients = streamClients();
    const [first, other, second] = [clients.open(7, false), clients.open(8, false), clients.open(7, false)];
    let told = 0;
    second.onChange(() => {
      told += 1;
    });
    clients.enable(7, SWAPS);
    expect([first, other, second].map((stream) => stream.carries(SWAPS))).toEqual([true, false, true]);
    expect(told).toBe(1);
    first.close();
    first.close();
    expect([second.carries(SWAPS), clients.open(7, false).carries(SWAPS)]).toEqual([true, true]);
  });

  it('is restored for a stream that comes back, which may enable it again, and not for a new one', () => {
    const clients = streamClients();
    visit(clients, 7, SWAPS, ORDERS);
    const back = clients.open(7, true);
    expect([back.carries(SWAPS), back.carries(ORDERS)]).toEqual([true, true]);
    expect([clients.enable(7, SWAPS), clients.enable(7, SWAPS)]).toEqual([null, 'ClientAlreadyListening']);
    back.close();
    expect(clients.open(7, false).isEmpty()).toBe(true);
  });

  it('is enabled again for another coin of the same name', () => {
    const clients = streamClients();
    clients.open(7, false);
    const [coin, later] = [{}, {}];
    const enable = (of: object) => clients.enable(7, 'BALANCE:DOC', { of });
    expect([enable(coin), enable(coin), enable(later), enable(later)]).toEqual([
      null,
      'ClientAlreadyListening',
      null,
      'ClientAlreadyListening',
    ]);
  });

  it('J15: is kept for the latest few clients that had a stream, and for nobody who enabled nothing', () => {
    const clients = streamClients({ kept: 3 });
    for (let id = 1; id <= 10_000; id++) {
      visit(clients, id, SWAPS);
      visit(clients, 10_000 + id);
      expect(clients.enable(20_000 + id, SWAPS)).toBe('UnknownClient');
    }
    const kept: number[] = [];
    for (let id = 1; id <= 30_000; id++) {
      const stream = clients.open(id, true);
      if (!stream.isEmpty()) kept.push(id);
      stream.close();
    }
    expect(kept).toEqual([9998, 9999, 10_000]);
  });
});
