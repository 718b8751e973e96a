import { createTendermintQuorumReader } from '../../../src/chains/tendermint/quorum-reader.ts';
import { BackendSilent } from '../../../src/ports/silence.ts';
import { type ChainFixture, type ContractCase, chainContract } from '../../../src/testing/contracts/chain-contract.ts';
import { virtualClock } from '../virtual-clock.ts';
import { ASSET, BLOCK_TIME, type ChainKind, IRIS, NUCLEUS, TendermintTestChain, UNIT } from './adapter-chain.ts';

const POLL = 5;

async function rounds(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
}

/** One chain and three wallets. Three nodes, of which two must say the same, for an asset; one node for the chain's own coin. */
function fixtureOf(kind: ChainKind, isAsset: boolean): ChainFixture {
  const chain = new TendermintTestChain(kind);
  chain.give('sender', 90n * UNIT);
  chain.give('receiver', 7n * UNIT);
  chain.give('watcher', UNIT);
  if (isAsset) {
    chain.give('sender', 501_234n, ASSET.denom);
    chain.give('receiver', 70_000n, ASSET.denom);
  }
  chain.chain.mine(12);
  const clock = virtualClock(chain.now * 1000);
  let silent = 0;
  const wallet = (name: string) => {
    const readers = [0, 1, 2].map((place) =>
      chain.reader({}, async () => {
        if (name === 'receiver' && place < silent) throw new BackendSilent('the connection was refused');
      }),
    );
    const reader = isAsset ? createTendermintQuorumReader({ readers, clock }) : chain.reader();
    return chain.wallet(name, clock, { reader, ...(isAsset ? { coin: ASSET } : {}), poll: POLL });
  };
  const before = async (wait: () => Promise<void>) => {
    chain.before = wait;
    return () => {
      chain.before = async () => undefined;
    };
  };
  return {
    ...{ sender: wallet('sender'), receiver: wallet('receiver'), watcher: wallet('watcher') },
    ...{ now: () => chain.now, finality: 1, blockTime: BLOCK_TIME, replaces: false },
    confirm: (blocks) => chain.chain.mine(blocks),
    passTime: (until) => chain.passTime(until),
    restartedSender: () => wallet('sender'),
    nextNews: async () => {
      await clock.advance(POLL * 1000);
      while (chain.busy > 0) await rounds(1);
      await rounds(2);
    },
    slow: () => before(() => rounds(10)),
    silence: () => before(() => Promise.reject(new BackendSilent('the connection was refused'))),
    ...(isAsset
      ? {
          doubt: () => {
            silent = 2;
            return () => {
              silent = 0;
            };
          },
        }
      : {}),
    restartNode: () => chain.chain.forget(),
  };
}

/** What the contract of the chain port is held against. */
export const KINDS = {
  'the coin of a chain of IRIS, by one node': [IRIS, false],
  'an asset of 4 digits on a chain of Nucleus, by three nodes of which two must say the same': [NUCLEUS, true],
} as const;

export type ContractSuite = {
  readonly cases: readonly ContractCase[];
  /** How many fixtures the cases have asked for. */
  readonly made: () => number;
};

/** The contract of the chain port for an adapter on a chain of its own. */
export function contractSuite(kind: ChainKind, isAsset: boolean): ContractSuite {
  let made = 0;
  const create = (): ChainFixture => {
    made += 1;
    return fixtureOf(kind, isAsset);
  };
  return { cases: chainContract(create, { shared: true }), made: () => made };
}
