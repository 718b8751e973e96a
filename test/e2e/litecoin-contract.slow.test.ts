import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UnixSeconds } from '../../src/primitives/time.ts';
import { type ChainFixture, chainContract } from '../../src/testing/contracts/chain-contract.ts';
import { type ChainSettings, type LitecoinTestChain, startLitecoinChain } from '../support/litecoin/chain.ts';
import { lineTo, rounds } from '../support/litecoin/line.ts';
import { LITECOIND } from '../support/litecoind.ts';
import { describeWith } from '../support/optional-part.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const POLL = 5;
const BLOCK_TIME = 150;

type Given = Pick<Kind, 'replaces' | 'keyPerSwap'> & {
  readonly chain: LitecoinTestChain;
  readonly options: readonly string[];
};

/** One chain and three wallets for all cases; time goes on from case to case. */
async function fixtureOn({ chain, replaces, keyPerSwap, options }: Given): Promise<ChainFixture> {
  let seconds = Number(await chain.node.call('getblockcount')) + 1_700_010_000;
  await chain.fund(['sender'], { count: 20, amount: '4' });
  await chain.fund(['receiver'], { count: 2, amount: '3' });
  await chain.mine(seconds, 12);
  const clock = virtualClock(seconds * 1000);
  const line = lineTo(chain.node);
  const usual = line.before;
  const before = async (wait: () => Promise<void>) => {
    line.before = wait;
    return () => {
      line.before = usual;
    };
  };
  const wallet = (name: string) => chain.wallet(name, clock, { node: line.node, keyPerSwap });
  return {
    sender: wallet('sender'),
    receiver: wallet('receiver'),
    watcher: wallet('watcher'),
    now: () => seconds as UnixSeconds,
    finality: chain.settings.finality,
    replaces,
    confirm: async (blocks) => {
      for (let left = blocks; left > 0; left--) {
        seconds += BLOCK_TIME;
        await chain.mine(seconds);
      }
    },
    passTime: async (until) => {
      seconds = Math.max(seconds, until) + 1;
      await chain.mine(seconds, 12);
    },
    restartedSender: () => wallet('sender'),
    nextNews: async () => {
      await clock.advance(POLL * 1000);
      while (line.busy() > 0) await rounds(1);
      await rounds(1);
    },
    slow: () => before(() => rounds(30)),
    silence: () => before(() => Promise.reject(new Error('the connection was refused'))),
    restartNode: async () => {
      await chain.node.restart(['-persistmempool=0', `-mocktime=${seconds}`, ...options]);
    },
    shallowReceiver: (depth) => chain.wallet('receiver', clock, { node: line.node, depth, keyPerSwap }),
  };
}

type Kind = { readonly settings: ChainSettings; readonly replaces: boolean; readonly keyPerSwap: boolean };

// Litecoin ships with replacement switched off.
const KINDS: Readonly<Record<string, Kind>> = {
  'P2SH, where dearer transactions take the place of others': {
    settings: {
      coin: 'LTC',
      scheme: 'p2sh',
      finality: 3,
      blockTime: BLOCK_TIME,
      feeRate: 10,
      poll: POLL,
      complete: false,
    },
    replaces: true,
    keyPerSwap: false,
  },
  'P2WSH, where nothing is replaced and each swap has keys of its own': {
    settings: {
      coin: 'LTC',
      scheme: 'p2wsh',
      finality: 5,
      blockTime: BLOCK_TIME,
      feeRate: 7,
      poll: POLL,
      complete: true,
    },
    replaces: false,
    keyPerSwap: true,
  },
};

describeWith(LITECOIND, 'the contract of the chain port holds for an adapter on Litecoin Core', () => {
  describe.each(Object.entries(KINDS))('%s', (_, { settings, replaces, keyPerSwap }) => {
    const options = [`-mempoolreplacement=${replaces ? 1 : 0}`];
    let chain: LitecoinTestChain;
    let made = 0;

    beforeAll(async () => {
      chain = await startLitecoinChain(settings, options);
    }, 120_000);
    afterAll(() => chain?.node.stop());

    const create = () => {
      made += 1;
      return fixtureOn({ chain, replaces, keyPerSwap, options });
    };
    for (const { title, run } of chainContract(create, { shared: true })) it(title, run);

    it('the whole suite used one fixture', () => expect(made).toBe(1));
  });
});
