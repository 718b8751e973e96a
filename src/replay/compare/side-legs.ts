import type { LegFunds } from '../../../machines/swap-verdict.ts';
import type { Role } from '../../events/catalog.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { isConfirmed } from '../explain/evidence.ts';

/** Where a payment is by both logs together. */
export type JoinedLeg = {
  readonly payer: Role;
  readonly maker: LegFunds;
  readonly taker: LegFunds;
  /** What the log says that knows more; where both know as much, the payer's. */
  readonly joined: LegFunds;
  /** The side whose log alone shows where the payment went; null where both do or neither does. */
  readonly shownBy: Role | null;
  /** The two logs tell different ends, or different transactions of one end. */
  readonly contradicts: boolean;
  /** A log shows that its end got its confirmations. */
  readonly confirmed: boolean;
};

const KNOWN: Readonly<Record<LegFunds['status'], number>> = { none: 0, uncertain: 1, locked: 2, spent: 3, refunded: 3 };

export function joinedLeg(
  payer: Role,
  { maker, taker, logs }: Readonly<Record<Role, LegFunds>> & { readonly logs: Readonly<Record<Role, SwapLog>> },
): JoinedLeg {
  const [one, other] = [KNOWN[maker.status], KNOWN[taker.status]];
  const own = payer === 'maker' ? maker : taker;
  const joined = one === other ? own : one > other ? maker : taker;
  return {
    payer,
    maker,
    taker,
    joined,
    shownBy: one === other ? null : one > other ? 'maker' : 'taker',
    confirmed:
      isEnd(joined) && [logs.maker, logs.taker].some((log) => isConfirmed({ ...joined, owner: payer }, { log })),
    contradicts: isEnd(maker) && isEnd(taker) && !isSameEnd(maker, taker),
  };
}

/** Nobody can move it any more, or nobody has paid. */
export function isClosed({ joined }: JoinedLeg): boolean {
  return isEnd(joined) || joined.status === 'none';
}

function isEnd({ status }: LegFunds): boolean {
  return status === 'spent' || status === 'refunded';
}

function isSameEnd(left: LegFunds, right: LegFunds): boolean {
  if (left.status !== right.status) return false;
  return left.tx === null || right.tx === null || bare(left.tx) === bare(right.tx);
}

function bare(hash: string): string {
  return hash.toLowerCase().replace(/^0x/, '');
}
