import type { EvmCoin } from '../../../src/chains/evm/coin.ts';
import { swapContractBytecode } from '../../../src/chains/evm/contract/artefact.ts';
import { createEvmQuorumReader } from '../../../src/chains/evm/quorum-reader.ts';
import { BackendSilent } from '../../../src/ports/silence.ts';
import type { UnixSeconds } from '../../../src/primitives/time.ts';
import { type ChainFixture, type ContractCase, chainContract } from '../../../src/testing/contracts/chain-contract.ts';
import { virtualClock } from '../virtual-clock.ts';
import { addressOf, BLOCK_TIME, EvmTestChain, FINALITY } from './adapter-chain.ts';
import { hasRewards } from './swap-contracts.ts';

const POLL = 5;
const ETHER = 10n ** 18n;

async function rounds(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
}

/** One chain and three wallets for all cases; time goes on from case to case. */
async function fixtureOn(chain: EvmTestChain, coin: Partial<EvmCoin>): Promise<ChainFixture> {
  await chain.give(addressOf('sender'), 50n * ETHER);
  await chain.give(addressOf('receiver'), 7n * ETHER);
  await chain.give(addressOf('watcher'), ETHER);
  await chain.mine(12);
  const clock = virtualClock(chain.now * 1000);
  let silent = 0;
  // Three nodes, of which two must say the same, for a token; one node for the chain's own coin.
  const reader = (name: string) => {
    const nodes = [0, 1, 2].map((place) =>
      chain.reader(async () => {
        if (name === 'receiver' && place < silent) throw new BackendSilent('the connection was refused');
      }),
    );
    return coin.token === undefined ? chain.reader() : createEvmQuorumReader({ readers: nodes, clock });
  };
  const wallet = (name: string) => chain.wallet(name, clock, { coin, reader: reader(name) });
  const before = async (wait: () => Promise<void>) => {
    chain.before = wait;
    return () => {
      chain.before = async () => undefined;
    };
  };
  return {
    sender: wallet('sender'),
    receiver: wallet('receiver'),
    watcher: wallet('watcher'),
    now: () => chain.now as UnixSeconds,
    finality: FINALITY,
    blockTime: BLOCK_TIME,
    replaces: true,
    confirm: (blocks) => chain.mine(blocks),
    passTime: (until) => chain.passTime(until),
    restartedSender: () => wallet('sender'),
    nextNews: async () => {
      await clock.advance(POLL * 1000);
      while (chain.busy > 0) await rounds(1);
      await rounds(2);
    },
    slow: () => before(() => rounds(10)),
    silence: () => before(() => Promise.reject(new BackendSilent('the connection was refused'))),
    ...(coin.token === undefined
      ? {}
      : {
          doubt: () => {
            silent = 2;
            return () => {
              silent = 0;
            };
          },
        }),
    restartNode: () => chain.request('anvil_dropAllTransactions') as Promise<never>,
  };
}

/** What the contract of the chain port is held against, by the digits of its token; null for the chain's own coin. */
export const KINDS = {
  'the chain’s own coin': null,
  'a token of 6 digits, of which nothing is approved before, by three nodes of which two must say the same': 6,
};

export type ContractSuite = {
  readonly open: () => Promise<void>;
  readonly close: () => void;
  readonly cases: readonly ContractCase[];
  /** How many fixtures the cases have asked for. */
  readonly made: () => number;
};

/** The contract of the chain port for an adapter on a chain of its own. */
export function contractSuite(decimals: number | null, bytecode?: () => Promise<string>): ContractSuite {
  let chain: EvmTestChain | undefined;
  let coin: Partial<EvmCoin> = {};
  let made = 0;
  const create = () => {
    made += 1;
    if (chain === undefined) throw new Error('the chain is not open');
    return fixtureOn(chain, coin);
  };
  return {
    async open() {
      const code = await bytecode?.();
      chain = await EvmTestChain.start([], code);
      const rewards = hasRewards(code ?? swapContractBytecode);
      coin = { rewards };
      if (decimals === null) return;
      const address = await chain.token({ decimals, strict: true }, { sender: 50_123_457n, receiver: 7_000_000n });
      coin = { rewards, coin: 'USDX', decimals, token: { address, platform: 'ETH' } };
    },
    close: () => chain?.stop(),
    cases: chainContract(create, { shared: true }),
    made: () => made,
  };
}
