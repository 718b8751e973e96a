import type { Seconds } from '../../primitives/time.ts';
import { silent } from '../accounts/silence.ts';
import type { EvmCoin } from './coin.ts';
import type { EvmLook } from './reader.ts';

/**
 * How far what nodes call final may lie behind the head of a chain that uses it: both payments of a swap must become final one after the other,
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
 * Confirmations of what is in a block. If finality follows what nodes call final (`finalized`, execution-apis), anything above that never has as many as
 * finality takes, however deep it is: a chain whose finality is stuck can still undo it.
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
 * Whether a block that is deep enough is final according to the nodes of this look, decided anew each time. It is
 *
 * - if as many as settle anything call it final;
 * - else, unless the coin is set to `always` or a node has ever named a near final block, by its depth alone: if nobody knows a final block, so
 *   that the chain may have none, and if as many as settle anything name one and none of them is near.
 *
 * So one node that names a near one overrides all others that know none, and no node makes finality weaker. In return a node that lies
 * on a chain without final blocks can keep everything from being final; the coins file has a member against that.
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
