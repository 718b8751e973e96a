import { SwapfoldError } from '../../primitives/error.ts';

/** An option of an Electrum server makes no sense, or its daemon does not answer. */
export class ElectrumServerError extends SwapfoldError {}
