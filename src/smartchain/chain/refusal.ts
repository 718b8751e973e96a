/** Classes of refusal that nodes tell each other. Source: smart-chain node, from Bitcoin. */
export const REJECT_INVALID = 16;
export const REJECT_DUPLICATE = 18;
export const REJECT_NONSTANDARD = 64;
export const REJECT_FEE = 66;

/** Why a transaction or a block is refused. */
export type Refusal =
  | {
      readonly kind: 'invalid';
      readonly code: number;
      /** The node's word for it, such as `bad-txns-vin-empty`. */
      readonly reason: string;
    }
  /** An input spends an unknown output. */
  | { readonly kind: 'missing-inputs' }
  /** Refused without a class: not by a rule of the chain, but by the relay policy of this node. */
  | { readonly kind: 'policy'; readonly reason: string };

/** A rule of the chain is broken. */
export function invalid(reason: string): Refusal {
  return { kind: 'invalid', code: REJECT_INVALID, reason };
}

/** The chain would accept it, and nodes do not relay it. */
export function nonstandard(reason: string): Refusal {
  return { kind: 'invalid', code: REJECT_NONSTANDARD, reason };
}
