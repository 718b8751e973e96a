import type { PaymentTerms } from '../../ports/chain.ts';

/** Remembers what follows from the terms of payments, which callers pass again and again as fresh objects. */
export type TermsBook<Info> = { readonly find: (terms: PaymentTerms) => Info };

const RECENT = 4;

type Known<Info> = { terms: PaymentTerms; readonly info: Info };

/** A book whose entries are made by `make`, once for equal terms. */
export function termsBook<Info>(make: (terms: PaymentTerms) => Info): TermsBook<Info> {
  const recent: Known<Info>[] = [];
  const all = new Map<string, Known<Info>>();
  let next = 0;
  const find = (terms: PaymentTerms): Info => {
    // A simulation of one swap has a handful of terms: a search among the latest is faster than any index.
    for (const known of recent) if (known.terms === terms || sameTerms(known.terms, terms)) return known.info;
    const { lock, secretHash, sender, receiver, amount, contract, reward, counted } = terms;
    const role = reward === undefined ? '' : ` ${reward.leg} ${reward.otherPays}`;
    const count = counted === undefined ? '' : ` counted ${counted.leg} ${counted.duration}`;
    const key = `${lock} ${secretHash} ${sender} ${receiver} ${amount} ${contract}${role}${count}`;
    let known = all.get(key);
    if (known === undefined) {
      known = { terms, info: make(terms) };
      all.set(key, known);
    }
    recent[next] = known;
    next = (next + 1) % RECENT;
    return known.info;
  };
  return { find };
}

function sameTerms(left: PaymentTerms, right: PaymentTerms): boolean {
  return (
    left.lock === right.lock &&
    left.amount === right.amount &&
    left.secretHash === right.secretHash &&
    left.sender === right.sender &&
    left.receiver === right.receiver &&
    left.contract === right.contract &&
    left.reward?.leg === right.reward?.leg &&
    left.reward?.otherPays === right.reward?.otherPays &&
    left.counted?.leg === right.counted?.leg &&
    left.counted?.duration === right.counted?.duration
  );
}
