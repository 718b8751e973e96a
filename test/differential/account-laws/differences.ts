import { replacementPrice } from '../../../src/sim/chains/account/mempool.ts';
import { type Difference, orderOf } from '../law-frame.ts';
import { type Book, type Draft, FUNDS, LEAST_PRICE, type Verdict } from './draft.ts';

/** A draft with what its chain holds, before it was offered. */
export type Met = { readonly tx: number; readonly book: Book };

const isTaken = (there: Verdict): boolean => there === 'sent' || there === 'nonceGap';

function draftIn({ tx, book }: Met): Draft {
  return book.drafts[tx] as Draft;
}

function rivalPrice(met: Met): number | null {
  const { by, nonce } = draftIn(met);
  const rival = met.book.rival(by, nonce);
  return rival === undefined ? null : (met.book.drafts[rival]?.price ?? null);
}

/** All that is wrong with a draft. */
export function faultsOf(met: Met): ReadonlySet<Verdict> {
  const { book } = met;
  const { by, nonce, price, gas, value } = draftIn(met);
  const found = new Set<Verdict>();
  const before = rivalPrice(met);
  if (nonce < book.used(by)) found.add('nonceUsed');
  if (price < LEAST_PRICE || (before !== null && price < replacementPrice(before))) found.add('feeTooLow');
  if (value > FUNDS || promises(met) > FUNDS) found.add('insufficientFunds');
  if (gas < 21_000) found.add('invalid');
  return found;
}

/** What an account would have promised, its fees aside. */
function promises(met: Met): bigint {
  const { by, nonce, value } = draftIn(met);
  const others = met.book.order.map((tx) => met.book.drafts[tx] as Draft);
  return others.reduce(
    (total, draft) => (draft.by === by && draft.nonce !== nonce ? total + draft.value : total),
    value,
  );
}

/** All in which the simulated chain is not anvil. What fits none of them is a defect of the one or the other. */
export const DIFFERENCES: readonly Difference<Verdict, Met>[] = [
  orderOf(faultsOf),
  {
    name: 'bump',
    why: 'anvil takes any higher price for a nonce that waits; the common nodes ask for a tenth more, and so does the simulated chain',
    applies: (here, there, met) => {
      const before = rivalPrice(met);
      const { price } = draftIn(met);
      return (
        here === 'feeTooLow' && isTaken(there) && before !== null && price > before && price < replacementPrice(before)
      );
    },
  },
  {
    name: 'relay',
    why: 'anvil keeps what pays less than a block asks for; here nobody relays it',
    applies: (here, there, met) => here === 'feeTooLow' && isTaken(there) && draftIn(met).price < LEAST_PRICE,
  },
  {
    name: 'promised',
    why: 'anvil looks whether an account can pay for each transaction alone; geth, and so the simulated chain, for all that wait together',
    applies: (here, there, met) =>
      here === 'insufficientFunds' && isTaken(there) && draftIn(met).value <= FUNDS && promises(met) > FUNDS / 2n,
  },
];
