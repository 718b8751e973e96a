import type { Snatched } from './chain.ts';
import { type LegLedger, nameOf } from './ledger.ts';

/** What somebody knows who reads all that a chain shows. */
export type Seen = {
  readonly shown: ReadonlySet<string>;
  readonly maker: LegLedger;
  readonly taker: LegLedger;
};

/** A payment of the maker whose secret is out, where none of the taker is there that the maker can claim with it; null for none. */
export function snatchable({ shown, maker, taker }: Seen): Snatched | null {
  for (const secret of shown) {
    const named = nameOf(secret);
    const payment = maker.payments.find((each) => each.named === named && each.spend === null);
    const other = taker.payments.find((each) => each.named === named);
    if (payment !== undefined && (other === undefined || other.spend?.how === 'refunded'))
      return { ...payment, secret };
  }
  return null;
}
