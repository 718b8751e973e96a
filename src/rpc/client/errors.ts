import { SwapfoldError } from '../../primitives/error.ts';

/** What a node said of a call that it refused. */
export type RefusedCall = {
  readonly method: string;
  /** Of HTTP. */
  readonly status: number;
  /** As the node worded it, without the password. */
  readonly text: string;
  /** `error_type` of a v2 answer; null for a legacy one. */
  readonly errorType: string | null;
  readonly errorData: unknown;
};

/** The node refused a call: it is there, and said why. */
export class RpcRefusedError extends SwapfoldError {
  readonly refused: RefusedCall;

  constructor(refused: RefusedCall) {
    const { method, status, text, errorType } = refused;
    super('The node refused the call.', {
      code: 'RPC_REFUSED',
      facts: { method, status, error: text, error_type: errorType },
      next: 'Correct what the text names; the same call is refused again.',
    });
    this.refused = refused;
  }
}

/** Nobody answered, or not as a node does: nothing is known of what became of the call. */
export class RpcUnansweredError extends SwapfoldError {
  constructor(facts: { readonly method: string; readonly fault: string; readonly status?: number }) {
    super('The node did not answer the call.', {
      code: 'RPC_UNANSWERED',
      facts,
      next: 'See that the node runs at this address. Look at what the call was to do before it is made again.',
      retry: 'later',
    });
  }
}

/** The node did what was asked, as far as its answer goes, and the answer is not as the interface describes it. */
export class RpcAnswerInvalidError extends SwapfoldError {
  /** Where in the answer, such as `/result/coins/0/ticker`. */
  readonly path: string;

  constructor(facts: { readonly method: string; readonly path: string; readonly fault: string }) {
    super('The answer of the node is not as its interface describes it.', {
      code: 'RPC_ANSWER_INVALID',
      facts,
      next: 'Use the client and the node of one release. Look at what the call was to do before it is made again.',
      retry: 'operator',
    });
    this.path = facts.path;
  }
}
