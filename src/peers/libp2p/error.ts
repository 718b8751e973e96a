import { SwapfoldError } from '../../primitives/error.ts';

/** The network between nodes cannot be opened, or cannot do what it was asked. */
export class PeerNetworkError extends SwapfoldError {}
