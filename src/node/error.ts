import { SwapfoldError } from '../primitives/error.ts';

/**
 * A trading node cannot do what it was told.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { NodeError, walletOfPassphrase } from 'swapfold/node';
 *
 * const open = async () => walletOfPassphrase(new Secret(' '));
 * const fault: unknown = await open().catch((error: unknown) => error);
 * fault instanceof NodeError && [fault.code, fault.retry]; // → ['PASSPHRASE_INVALID', 'operator']
 * ```
 */
export class NodeError extends SwapfoldError {}
