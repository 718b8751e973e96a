/**
 * Why a coin of an EVM chain is not opened. `unreachable`: no node answers; `asked`: one that did before does not tell what is needed; `block`: nor its block;
 * `wrongChain`: a node is of another chain; `redirects`: one leads elsewhere; `coin`: chain and description of the coin do not fit; `entry`: its entry of the coins file cannot be used;
 * `station`: the gas station does not answer; `ended`: nobody waits for it any more.
 */
export type EvmFailureKind =
  | 'unreachable'
  | 'asked'
  | 'block'
  | 'wrongChain'
  | 'redirects'
  | 'coin'
  | 'entry'
  | 'station'
  | 'ended';

/** An opening that came to nothing. It ends in an answer and is no fault of the program. */
export class EvmFailure extends Error {
  readonly kind: EvmFailureKind;
  /** A suffix for the message if more than the real node's words is reported; empty if there is nothing to add. */
  readonly why: string;

  constructor(kind: EvmFailureKind, message: string, why = '') {
    super(message);
    this.name = 'EvmFailure';
    this.kind = kind;
    this.why = why;
  }
}
