import type { Clock } from '../../src/ports/clock.ts';
import type { Peers } from '../../src/ports/peers.ts';
import type { RuntimeChain } from '../../src/runtime/index.ts';

/** Whether a process still runs: nothing calls back into one that is over. */
export type Life = { over: boolean };

export function mortalClock(clock: Clock, life: Life): Clock {
  return {
    now: clock.now,
    ...(clock.elapsed === undefined ? {} : { elapsed: clock.elapsed }),
    wakeAt: (at, wake) =>
      clock.wakeAt(at, () => {
        if (!life.over) wake();
      }),
  };
}

export function mortalPeers(peers: Peers, life: Life): Peers {
  return {
    self: peers.self,
    send: (topic, message, options) => (life.over ? undefined : peers.send(topic, message, options)),
    subscribe: (topic, onMessage) =>
      peers.subscribe(topic, (envelope) => {
        if (!life.over) onMessage(envelope);
      }),
  };
}

export function mortalChain(chain: RuntimeChain, life: Life): RuntimeChain {
  return {
    ...chain,
    subscribe: (onChange, ...rest) =>
      chain.subscribe(
        (...news) => {
          if (!life.over) onChange(...news);
        },
        ...rest,
      ),
  };
}
