import { concatBytes } from '../../htlc/byte-writer.ts';
import type { ModuleCoin } from '../../htlc/tendermint-messages.ts';
import { tendermintId } from '../../htlc/tendermint-transaction.ts';
import { sha256 } from '../../primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import { type UnixSeconds, unixSecondsOf } from '../../primitives/time.ts';
import { refundExpired } from './htlc-module.ts';
import { createMempool } from './mempool.ts';
import type { Refused, TxResult } from './result.ts';
import { type AppState, credited, EMPTY_STATE } from './state.ts';
import { type AppRules, deliver } from './transactions.ts';

export type CometBlock = {
  readonly height: number;
  readonly time: UnixSeconds;
  /** 64 lower-case hex digits. */
  readonly hash: string;
  readonly previous: string;
  readonly transactions: readonly { readonly id: string; readonly bytes: Uint8Array; readonly result: TxResult }[];
  /** After it. */
  readonly state: AppState;
};

export type CometOptions = AppRules & {
  /** Of the first block. @defaultValue 1 */
  readonly startHeight?: number;
  readonly startTime: UnixSeconds;
  /** Seconds between two blocks where nobody says otherwise. */
  readonly blockTime: number;
};

/** A chain in this process, whose blocks and time a test decides. */
export type CometChain = {
  readonly rules: AppRules;
  /** The blocks, the oldest first; there is always one. */
  readonly blocks: () => readonly CometBlock[];
  readonly tip: () => CometBlock;
  /** Adds blocks, of which the first takes what waits. @defaultValue of the seconds: the block time, for each */
  readonly mine: (blocks?: number, seconds?: number) => void;
  /** Gives an address coins from nowhere, in a block of its own. */
  readonly fund: (address: string, coins: readonly ModuleCoin[]) => void;
  /** Bytes of what waits, in order. */
  readonly waiting: () => readonly Uint8Array[];
  /** Offers a transaction to the mempool: null for taken, `cached` where it was offered before. */
  readonly offer: (bytes: Uint8Array) => Refused | 'cached' | null;
  /** Forgets all that waits, and that it was ever offered, as nodes do that restart. */
  readonly forget: () => void;
  /** What the application would make of a transaction on top of what waits. */
  readonly simulate: (bytes: Uint8Array) => TxResult;
  /** Called after each block and each transaction that was taken. */
  readonly subscribe: (onNews: (news: CometNews) => void) => { readonly close: () => void };
};

export type CometNews = { readonly block: CometBlock } | { readonly entered: Uint8Array };

/**
 * A chain with accounts, a bank and payments under locks, by the rules of the Cosmos SDK and the HTLC module. @throws RangeError
 *
 * @example
 * ```ts
 * import { decimalOf, unixSecondsOf } from 'swapfold';
 * import { createCometChain } from 'swapfold/testing';
 *
 * const rules = { chainId: 'nyancat-9', prefix: 'iaa', module: null, feeDenom: 'unyan' };
 * const startTime = unixSecondsOf(1_700_000_000);
 * const times = { startHeight: 1000, startTime, blockTime: 5, gasPrice: decimalOf('0.25') };
 * const chain = createCometChain({ ...rules, ...times });
 * chain.mine(3);
 * [chain.tip().height, chain.tip().time - startTime]; // → [1003, 15]
 * chain.offer(Uint8Array.of(1)) === null; // → false
 * ```
 */
export function createCometChain(options: CometOptions): CometChain {
  const { startHeight = 1, startTime, blockTime, ...rules } = options;
  if (!(blockTime > 0) || startHeight < 1) throw new RangeError('a chain has a block time and a first block above 0');
  const blocks: CometBlock[] = [firstBlock(startHeight, startTime)];
  const listeners = new Set<(news: CometNews) => void>();
  const tip = () => blocks.at(-1) as CometBlock;
  const mempool = createMempool(rules, tip);
  const tell = (news: CometNews) => {
    for (const listener of [...listeners]) listener(news);
  };
  const next = (seconds: number) => nextBlock({ tip: tip(), seconds, mempool: mempool.waiting(), rules });
  const add = (block: CometBlock) => {
    blocks.push(block);
    mempool.recheck(new Set(block.transactions.map(({ id }) => id)));
    tell({ block });
  };
  return {
    rules,
    blocks: () => blocks,
    tip,
    mine(count = 1, seconds = blockTime) {
      for (let left = count; left > 0; left -= 1) add(next(seconds));
    },
    fund(address, coins) {
      const block = next(blockTime);
      add({ ...block, state: credited(block.state, address, coins) });
    },
    waiting: mempool.waiting,
    offer(bytes) {
      const answer = mempool.offer(bytes);
      if (answer === null) tell({ entered: bytes });
      return answer;
    },
    forget: mempool.forget,
    simulate: mempool.simulate,
    subscribe(onNews) {
      listeners.add(onNews);
      return { close: () => void listeners.delete(onNews) };
    },
  };
}

function firstBlock(height: number, time: UnixSeconds): CometBlock {
  const hash = bytesToHex(sha256(new TextEncoder().encode(`block ${height}`)));
  return { height, time, hash, previous: '00'.repeat(32), transactions: [], state: EMPTY_STATE };
}

type Making = {
  readonly tip: CometBlock;
  readonly seconds: number;
  readonly mempool: readonly Uint8Array[];
  readonly rules: AppRules;
};

function nextBlock({ tip, seconds, mempool, rules }: Making): CometBlock {
  const height = tip.height + 1;
  let state = refundExpired(tip.state, BigInt(height));
  const transactions = mempool.map((bytes) => {
    const delivered = deliver(state, bytes, { rules, height: BigInt(height) });
    state = delivered.state;
    return { id: tendermintId(bytes), bytes, result: delivered.result };
  });
  const time = unixSecondsOf(tip.time + Math.max(1, Math.round(seconds)));
  const content = new TextEncoder().encode(`${height} ${time} `);
  const hash = bytesToHex(sha256(concatBytes([hexToBytes(tip.hash), content, ...mempool])));
  return { height, time, hash, previous: tip.hash, transactions, state };
}
