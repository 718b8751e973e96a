import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';
import { createSimChain } from '../../../../src/sim/chains/create.ts';
import { shallowChain } from '../../../../src/sim/chains/shallow.ts';
import type { Fidelity, SimChain, SimChainKind, SimChainOptions } from '../../../../src/sim/chains/types.ts';
import { xorshift32 } from '../../../../src/sim/xorshift.ts';
import type { ChainFixture } from '../../../../src/testing/contracts/chain-contract.ts';

export const KINDS: readonly SimChainKind[] = ['utxo', 'account', 'autoRefund'];
export const FIDELITIES: readonly Fidelity[] = ['compact', 'real'];

export const START = 1_700_000_000;

/** A clock that a test moves by hand. */
export type TestClock = { seconds: number; readonly now: () => UnixSeconds };

export function testClock(): TestClock {
  const clock: TestClock = { seconds: START, now: () => clock.seconds as UnixSeconds };
  return clock;
}

export type TestChain = { readonly chain: SimChain; readonly clock: TestClock };

/** A chain at the start of the test clock. */
export function testChain(kind: SimChainKind, options: Partial<SimChainOptions> = {}): TestChain {
  const clock = testClock();
  return { clock, chain: createSimChain(kind, { coin: 'DOC', now: clock.now, rng: xorshift32(1), ...options }) };
}

/** Adds blocks at the nominal distance, with the clock. */
export function mineMany({ chain, clock }: TestChain, count: number): void {
  for (let left = count; left > 0; left--) {
    clock.seconds += 60;
    chain.mine();
  }
}

export function units(text: string): DecimalText {
  return text as DecimalText;
}

/** The scene of the contract on a simulated chain. */
export function fixtureOf(
  kind: SimChainKind,
  fidelity: Fidelity,
  options: Partial<SimChainOptions> & { readonly rewards?: boolean } = {},
): ChainFixture & TestChain {
  const world = testChain(kind, { fidelity, ...options });
  const { chain, clock } = world;
  const sender = chain.wallet({ party: 'sender', funds: units('40'), coins: 10 });
  const receiver = chain.wallet({ party: 'receiver', funds: units('10') });
  return {
    ...world,
    sender,
    receiver,
    watcher: chain.wallet({ party: 'watcher' }),
    now: clock.now,
    confirm: (blocks) => mineMany(world, blocks),
    passTime: (until) => {
      while (chain.clock() <= until) mineMany(world, 1);
    },
    restartedSender: () => chain.wallet({ party: 'sender' }),
    silence: () => {
      sender.setFaults([{ kind: 'outage', from: 0 as UnixSeconds, until: Number.MAX_SAFE_INTEGER as UnixSeconds }]);
      return () => sender.setFaults([]);
    },
    doubt: () => {
      receiver.setFaults([{ kind: 'doubt', from: 0 as UnixSeconds, until: Number.MAX_SAFE_INTEGER as UnixSeconds }]);
      return () => receiver.setFaults([]);
    },
    restartNode: () => void chain.expire((clock.seconds + 1) as UnixSeconds),
    shallowReceiver: (blocks) => shallowChain(chain.wallet({ party: 'receiver' }), { blocks: () => blocks }),
  };
}
