import type { Seconds } from '../../primitives/time.ts';
import { silent } from '../accounts/silence.ts';
import type { EvmCoin } from './coin.ts';
import type { EvmLook } from './reader.ts';

/**
 * By how much what nodes call final may lie behind the head of a chain that goes by it: both payments of a swap have to become final one after the other,
 * long before the first of their locks ends (7,800 s in the framework). Where a chain takes longer, as those that prove their blocks on another one, no swap
 * would ever end.
 */
export const MOST_BEHIND: Seconds = 1800;

/** What is remembered about a chain's finality as long as an account on it is in use. */
export type FinalityMemory = {
  /** A node has named a final block that is not too far behind. From then on, depth alone makes nothing final. */
  isNear: boolean;
};

export function finalityMemory(): FinalityMemory {
  return { isNear: false };
}

export type Judging = {
  readonly coin: Pick<EvmCoin, 'finality' | 'finalizedTag'>;
  readonly account: { readonly finality: FinalityMemory };
};

/**
 * Confirmations of what is in a block. Where finality goes by what nodes call final (`finalized`, execution-apis), what is above that never has as many as
 * it takes, however deep it lies: a chain whose finality stands still can still take it away.
 */
export async function depthOf(look: EvmLook, block: number, { coin, account }: Judging): Promise<number> {
  const { finality, finalizedTag = false } = coin;
  const depth = look.head.number - block + 1;
  if (finalizedTag === false || depth < finality) return depth;
  const isFinal = await isCalledFinal(look, block, { memory: account.finality, always: finalizedTag === true });
  return isFinal ? depth : finality - 1;
}

type Rule = { readonly memory: FinalityMemory; readonly always: boolean };

/**
 * Whether a block that is deep enough is final by the word of the nodes of this look, each time anew. It is
 *
 * - where as many as settle anything call it final;
 * - else, unless the coin goes by that word `always` or a node has ever named a near final block, by its depth alone: where nobody knows a final block, so
 *   that the chain may have none, and where as many as settle anything name one and none of them is near.
 *
 * So one node that names a near one makes the word of all others that know none count for nothing, and no node makes finality weaker. In return one that lies
 * on a chain without final blocks can keep everything from being final, against which the coins file has a member.
 */
async function isCalledFinal(look: EvmLook, block: number, { memory, always }: Rule): Promise<boolean> {
  const { named, need } = await hear(look, memory);
  if (named.filter((number) => number >= block).length >= need) return true;
  if (always || memory.isNear) return false;
  return named.length === 0 || named.length >= need;
}

type Named = { readonly named: readonly number[]; readonly need: number };

async function hear(look: EvmLook, memory: FinalityMemory): Promise<Named> {
  const { told, need } = await look.finalized();
  const named = told.filter((number) => number !== null);
  if (named.length > 0 && !memory.isNear) memory.isNear = await isNear(look, Math.max(...named));
  return { named, need };
}

/**
 * Remembers what the nodes say before anything is judged by it; their silence is no reason to wait.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import {
 *   createEvmNodeReader, EvmAccount, hearFinality, readEvmEntry,
 * } from 'swapfold/chains/evm';
 * import { walletOfPassphrase } from 'swapfold/node';
 *
 * const block = { number: '0x10', hash: `0x${'ab'.repeat(32)}`, timestamp: '0x65536f00' };
 * const request = async (method: string) => (method === 'eth_chainId' ? '0x1' : block);
 * const reader = createEvmNodeReader({ name: 'a node', request }, 1);
 * const signer = walletOfPassphrase(new Secret('an example')).coins;
 * const account = new EvmAccount({ reader, signer, chainId: 1, prices: readEvmEntry({}).prices });
 * await hearFinality(await reader.look(), account);
 * account.finality; // → { isNear: true }
 * ```
 */
export async function hearFinality(look: EvmLook, { finality }: Judging['account']): Promise<void> {
  await hear(look, finality).catch(silent);
}

/** Nobody can look up a block above the head. */
async function isNear(look: EvmLook, number: number): Promise<boolean> {
  if (number >= look.head.number) return true;
  const block = await look.block(number);
  return block !== null && look.head.time - block.time <= MOST_BEHIND;
}
