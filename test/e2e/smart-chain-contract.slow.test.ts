import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackendSilent } from '../../src/ports/silence.ts';
import type { UnixSeconds } from '../../src/primitives/time.ts';
import { type ChainFixture, chainContract } from '../../src/testing/contracts/chain-contract.ts';
import { rounds } from '../support/litecoin/line.ts';
import { type EmbeddedChain, startEmbeddedChain } from '../support/utxo/embedded-chain.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const POLL = 5;

/** One chain and three wallets for all cases; time goes on from case to case. */
async function fixtureOn(chain: EmbeddedChain, keyPerSwap: boolean): Promise<ChainFixture> {
  await chain.fund('sender', { count: 20, value: 400_000_000n });
  await chain.fund('receiver', { count: 2, value: 300_000_000n });
  await chain.mine(12);
  const clock = virtualClock(chain.now() * 1000);
  const { line } = chain;
  const usual = line.before;
  const before = async (wait: () => Promise<void>) => {
    line.before = wait;
    return () => {
      line.before = usual;
    };
  };
  const wallet = (name: string) => chain.wallet(name, clock, { keyPerSwap });
  return {
    sender: wallet('sender'),
    receiver: wallet('receiver'),
    watcher: wallet('watcher'),
    now: () => chain.now() as UnixSeconds,
    finality: chain.coin.finality,
    blockTime: chain.coin.blockTime,
    replaces: false,
    confirm: (blocks) => chain.mine(blocks),
    passTime: async (until) => {
      chain.setTime(Math.max(chain.now(), until) + 1);
      await chain.mine(12);
    },
    restartedSender: () => wallet('sender'),
    nextNews: async () => {
      await clock.advance(POLL * 1000);
      while (line.busy() > 0) await rounds(1);
      await rounds(1);
    },
    slow: () => before(() => rounds(30)),
    silence: () => before(() => Promise.reject(new BackendSilent('the connection was refused'))),
    restartNode: () => chain.restart(),
    shallowReceiver: (depth) => chain.wallet('receiver', clock, { depth, keyPerSwap }),
  };
}

describe('the contract of the chain port holds for the adapter on a smart chain over its RPC', () => {
  describe.each([false, true])('with keys of its own for each swap: %s', (keyPerSwap) => {
    let chain: EmbeddedChain;
    let made = 0;

    beforeAll(async () => {
      chain = await startEmbeddedChain(
        keyPerSwap ? { finality: 5, fees: { rate: 2000n, floor: 1000n, ceiling: 10_000_000n } } : {},
      );
    });
    afterAll(() => chain.close());

    const create = () => {
      made += 1;
      return fixtureOn(chain, keyPerSwap);
    };
    for (const { title, run } of chainContract(create, { shared: true })) it(title, run);

    it('the whole suite used one fixture', () => expect(made).toBe(1));
  });
});
