import { SwapfoldError } from '../../primitives/error.ts';

/**
 * An option of an Electrum server makes no sense, or its daemon does not answer.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { connectDaemon } from 'swapfold/chains/utxo';
 * import { ElectrumServerError, openElectrumServer } from 'swapfold/rpc';
 * import { systemClock } from 'swapfold/runtime';
 *
 * const daemon = { url: 'http://127.0.0.1:9', user: 'me', password: new Secret('only I know') };
 * const logger = { info() {}, warn() {}, error() {} };
 * const parts = { client: connectDaemon(daemon), clock: systemClock(), logger };
 * const opening = openElectrumServer({ ...parts, software: 'mine 1.0', tcp: 0 });
 * const fault: unknown = await opening.catch((error: unknown) => error);
 * fault instanceof ElectrumServerError && fault.code; // → 'ELECTRUM_DAEMON_SILENT'
 * ```
 */
export class ElectrumServerError extends SwapfoldError {}
