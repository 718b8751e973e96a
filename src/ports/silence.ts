/**
 * Whoever was asked does not answer, or with nothing that is an answer.
 *
 * @example
 * ```ts
 * import { BackendSilent, createDaemonReader, type DaemonClient } from 'swapfold/chains/utxo';
 *
 * // A client of your own tells by this class that nobody answers, which settles nothing.
 * const client: DaemonClient = {
 *   batch: async () => {
 *     throw new BackendSilent('the daemon does not answer');
 *   },
 * };
 * const reader = createDaemonReader({ client, birth: 0, decimals: 8, medianBlocks: 11 });
 * reader.sync(); // throws BackendSilent
 * ```
 */
export class BackendSilent extends Error {}
