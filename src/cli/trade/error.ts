import { SwapfoldError } from '../../primitives/error.ts';

/** A process of the play did not come up, or a call was not answered as it should have been. */
export class TradeError extends SwapfoldError {}

export function partFailed(program: string, reason: string): TradeError {
  return new TradeError('A process of the play did not come up.', {
    code: 'TRADE_PART_FAILED',
    facts: { program, reason },
    next: 'See that nothing keeps the program from starting; for --litecoin, that Litecoin Core is installed (Debian: litecoind).',
    retry: 'operator',
  });
}

export function callFailed(method: string, reason: string): TradeError {
  return new TradeError('A call was not answered as it should have been.', {
    code: 'TRADE_CALL_FAILED',
    facts: { method, reason },
    next: 'Play it again; if it comes back, report it with the reason.',
    retry: 'operator',
  });
}
