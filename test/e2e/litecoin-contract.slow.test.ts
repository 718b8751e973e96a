import { afterAll, beforeAll, it } from 'vitest';
import type { UnixSeconds } from '../../src/primitives/time.ts';
import { type ChainFixture, chainContract } from '../../src/testing/chain-contract.ts';
import { type LitecoinTestChain, startLitecoinChain } from '../support/litecoin/chain.ts';
import { LITECOIND } from '../support/litecoind.ts';
import { describeWith } from '../support/optional-part.ts';
import { virtualClock } from '../support/virtual-clock.ts';

describeWith(LITECOIND, 'the contract of the chain port holds for an adapter on Litecoin Core', () => {
  let chain: LitecoinTestChain;
  let seconds = 1_700_010_000;
  let cases = 0;

  beforeAll(async () => {
    chain = await startLitecoinChain(
      { coin: 'LTC', scheme: 'p2sh', finality: 3, blockTime: 150, feeRate: 10, poll: 5 },
      ['-mempoolreplacement=1'],
    );
    const names = Array.from({ length: 60 }, (_, place) => [`sender ${place}`, `receiver ${place}`]).flat();
    for (let from = 0; from < names.length; from += 100)
      await chain.fund(names.slice(from, from + 100), { count: 5, amount: '2' });
    await chain.mine(seconds, 12);
  }, 120_000);
  afterAll(() => chain?.node.stop());

  const fixture = (): ChainFixture => {
    const place = cases++;
    const clock = virtualClock(seconds * 1000);
    return {
      sender: chain.wallet(`sender ${place}`, clock),
      receiver: chain.wallet(`receiver ${place}`, clock),
      watcher: chain.wallet(`watcher ${place}`, clock),
      now: () => seconds as UnixSeconds,
      finality: 3,
      confirm: async (blocks) => {
        for (let left = blocks; left > 0; left--) {
          seconds += 150;
          await chain.mine(seconds);
        }
      },
      passTime: async (until) => {
        seconds = Math.max(seconds, until) + 1;
        await chain.mine(seconds, 12);
      },
      restartedSender: () => chain.wallet(`sender ${place}`, clock),
    };
  };
  for (const { title, run } of chainContract(fixture)) it(title, run);
});
