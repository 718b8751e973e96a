import { SwapfoldError } from '../primitives/error.ts';

/** A trading node cannot do what it was told. */
export class NodeError extends SwapfoldError {}
