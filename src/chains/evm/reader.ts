import { BackendSilent } from '../../ports/silence.ts';
import type { UnixSeconds } from '../../primitives/time.ts';

// Hex is lower case without 0x: ids and hashes of 64 digits, accounts and contracts of 40. Amounts are in wei or base units.

/**
 * The called address answers unlike any contract of its kind.
 *
 * @example
 * ```ts
 * import { ContractAbsent, createEvmNodeReader, erc20Balance } from 'swapfold/chains/evm';
 *
 * const block = { number: '0x10', hash: `0x${'ab'.repeat(32)}`, timestamp: '0x65536f00' };
 * const told: Record<string, unknown> = {
 *   ...{ eth_chainId: '0x1', eth_getBlockByNumber: block },
 *   eth_call: '0x', // As an address without a contract answers.
 * };
 * const node = { name: 'a node', request: async (method: string) => told[method] };
 * const reader = createEvmNodeReader(node, 1);
 * const asked = { token: '44'.repeat(20), owner: '11'.repeat(20) };
 * const error = await erc20Balance(await reader.look(), asked).catch((thrown: unknown) => thrown);
 * error instanceof ContractAbsent; // → true
 * ```
 */
export class ContractAbsent extends BackendSilent {}

/** A node refuses to search so many blocks at once for events. */
export class RangeTooWide extends BackendSilent {}

/** The chain changed between two questions of one look: the whole look is repeated. */
export class Unsteady extends Error {}

/**
 * The contract refused a call.
 *
 * @example
 * ```ts
 * import { CallReverted, createEvmNodeReader, NodeRefusal } from 'swapfold/chains/evm';
 *
 * const block = { number: '0x10', hash: `0x${'ab'.repeat(32)}`, timestamp: '0x65536f00' };
 * const request = async (method: string) => {
 *   if (method === 'eth_call') throw new NodeRefusal(3, 'execution reverted: paused');
 *   return method === 'eth_chainId' ? '0x1' : block;
 * };
 * const look = await createEvmNodeReader({ name: 'a node', request }, 1).look();
 * const answer = look.call({ to: '44'.repeat(20), data: '' });
 * const error = await answer.catch((thrown: unknown) => thrown);
 * error instanceof CallReverted && error.message; // → 'execution reverted: paused'
 * ```
 */
export class CallReverted extends Error {}

/** What a node said when it refused a transaction. */
export type EvmRefusal = { readonly code: number; readonly message: string };

/** A block of the best chain. */
export type EvmBlock = {
  readonly number: number;
  readonly hash: string;
  /** The time by which the chain judges locks. */
  readonly time: UnixSeconds;
  /** Wei per unit of gas; null on a chain without EIP-1559. */
  readonly baseFee: bigint | null;
};

export type Log = {
  readonly contract: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly transaction: string;
  readonly block: number;
};

/** The result of a transaction in its block. */
export type EvmReceipt = { readonly block: number; readonly succeeded: boolean; readonly logs: readonly Log[] };

/** A transaction that a node knows. */
export type Known = {
  /** Its bytes, which have its id; null if they are unavailable. */
  readonly hex: string | null;
  readonly isWaiting: boolean;
};

export type Call = {
  readonly to: string;
  readonly data: string;
  /** @defaultValue no particular account */
  readonly from?: string;
  /** The most gas that it may use; more is a refusal. @defaultValue as much as the node gives */
  readonly gas?: bigint;
  /** What the called account runs in place of its own code; not every node supports this. @defaultValue its own */
  readonly code?: string;
  /** Wei that the called account has beside that code. @defaultValue what it has */
  readonly balance?: bigint;
  /** A block at or below the head, as of which it answers; nodes keep the state of some hundred blocks. @defaultValue the head */
  readonly block?: number;
};

/** The effect of a transaction. */
export type Intent = {
  readonly from: string;
  readonly to: string;
  /** Wei. */
  readonly value: bigint;
  readonly data: string;
};

/** A transaction in a block. */
export type Included = { readonly id: string; readonly from: string; readonly nonce: number };

export type LogRange = { readonly contract: string; readonly from: number; readonly to: number };

/** Which waiting transactions are of interest: calls of a contract, and what an account sends. A node that reports something else may leave them out. */
export type Interest = {
  readonly contract: string;
  /** Of calls of the contract, those that are about this swap. @defaultValue all */
  readonly swapId?: string;
  /** @defaultValue nobody */
  readonly sender?: string;
};

/** Events of a contract in some blocks. */
export type Logs = {
  /** By each node that answers. */
  readonly told: readonly (readonly Log[])[];
  /** How many must say the same. */
  readonly need: number;
};

/** What nodes say about the last block that the chain calls final. */
export type FinalWord = {
  /** Its number from each node that answers; null if a node knows none. */
  readonly told: readonly (number | null)[];
  /** How many must say the same. */
  readonly need: number;
};

/**
 * One look at the chain. All answers about blocks are as of its head, even if more came since, so that they fit together. Each question fails with
 * `BackendSilent` if nobody answers.
 */
export interface EvmLook {
  readonly head: EvmBlock;
  /** Whether a quorum says what it reports; otherwise it settles nothing. */
  readonly settled: boolean;
  /** The result of a simulated call. @throws CallReverted if the contract refuses it */
  call(call: Call): Promise<string>;
  balance(account: string): Promise<bigint>;
  /** What an account runs when called; empty for one that is not a contract. */
  code(account: string): Promise<string>;
  /** How many nonces of an account blocks have used, up to a block at or below the head. @defaultValue the head */
  used(account: string, at?: number): Promise<number>;
  /** The same, including what waits without a gap. */
  promised(account: string): Promise<number>;
  /** Of a transaction in a block up to the head; null if there is none. */
  receipt(id: string): Promise<EvmReceipt | null>;
  transaction(id: string): Promise<Known | null>;
  /** @throws RangeTooWide if too few nodes search so many blocks */
  logs(range: LogRange): Promise<Logs>;
  /** Bytes of what the node would put into the next block, as far as it is of interest; none if it does not say. */
  waiting(interest: Interest): Promise<readonly string[]>;
  block(number: number): Promise<EvmBlock | null>;
  /** What is in a block at or below the head. */
  included(number: number): Promise<readonly Included[]>;
  /** Ids of what is in such a block: a block with its transactions may exceed the size limit. */
  ids(number: number): Promise<readonly string[]>;
  /** Gas that it would use, by the node’s estimate. @throws CallReverted */
  gas(intent: Intent): Promise<bigint>;
  /** What the node says about the last block that the chain calls final. */
  finalized(): Promise<FinalWord>;
  /** Wei per unit of gas: what the node thinks a legacy transaction pays, or what to offer above the base fee. */
  price(kind: 'legacy' | 'tip'): Promise<bigint>;
}

/** The best chain and its mempool, as far as a wallet needs them. */
export interface EvmReader {
  /**
   * A look by which money may move; or, with `few`, one by as many as there are, even if they are too few.
   *
   * @throws BackendSilent; TooFew, Disagreement
   */
  look(few?: boolean): Promise<EvmLook>;
  /** Null if accepted. @throws BackendSilent if no node knows */
  send(hex: string): Promise<EvmRefusal | null>;
}
