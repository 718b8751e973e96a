import { BackendSilent } from '../../ports/silence.ts';

/** Nobody was asked, because this side closed the connection: that says nothing about the node. */
export class LetGo extends BackendSilent {}

/** The answer is longer than is read. */
export class AnswerTooLong extends BackendSilent {}

/**
 * Fewer nodes answer than must agree.
 *
 * @example
 * ```ts
 * import {
 *   BackendSilent, createEvmNodeReader, createEvmQuorumReader, TooFew,
 * } from 'swapfold/chains/evm';
 * import { systemClock } from 'swapfold/runtime';
 *
 * const block = { number: '0x10', hash: `0x${'ab'.repeat(32)}`, timestamp: '0x65536f00' };
 * const told: Record<string, unknown> = { eth_chainId: '0x1', eth_getBlockByNumber: block };
 * const up = { name: 'up', request: async (method: string) => told[method] };
 * const down = { name: 'down', request: () => Promise.reject(new BackendSilent('no answer')) };
 * const readers = [up, down].map((node) => createEvmNodeReader(node, 1));
 * const reader = createEvmQuorumReader({ readers, clock: systemClock() });
 * const error = await reader.look().catch((thrown: unknown) => thrown);
 * error instanceof TooFew; // → true
 * (await reader.look(true)).settled; // → false
 * ```
 */
export class TooFew extends BackendSilent {}

/**
 * The nodes asked contradict each other.
 *
 * @example
 * ```ts
 * import { createEvmNodeReader, createEvmQuorumReader, Disagreement } from 'swapfold/chains/evm';
 * import { systemClock } from 'swapfold/runtime';
 *
 * const readers = ['ab', 'cd'].map((byte) => {
 *   const block = { number: '0x10', hash: `0x${byte.repeat(32)}`, timestamp: '0x65536f00' };
 *   const request = async (method: string) => (method === 'eth_chainId' ? '0x1' : block);
 *   return createEvmNodeReader({ name: byte, request }, 1);
 * });
 * const look = createEvmQuorumReader({ readers, clock: systemClock() }).look();
 * const error = await look.catch((thrown: unknown) => thrown);
 * error instanceof Disagreement; // → true
 * ```
 */
export class Disagreement extends BackendSilent {}

/** For code that counts answers: null for a silent node, whose reason joins the others. @throws anything else */
export function silent(error: unknown, reasons: string[] = []): null {
  if (!(error instanceof BackendSilent)) throw error;
  reasons.push(error.message);
  return null;
}
