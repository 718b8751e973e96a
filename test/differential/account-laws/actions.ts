import fc from 'fast-check';
import type { Reward } from '../../../src/htlc/evm-reward-calls.ts';
import { replacementPrice } from '../../../src/sim/chains/account/mempool.ts';
import {
  type Book,
  type Draft,
  type DraftCall,
  ENOUGH_GAS,
  FUNDS,
  LEAST_PRICE,
  NO_GAS,
  type Role,
  SHORT_GAS,
} from './draft.ts';

const KINDS = [
  [14, 'pay'],
  [12, 'claim'],
  [12, 'refund'],
  [5, 'send'],
  [4, 'void'],
  [6, 'again'],
  [1, 'dear'],
  [1, 'half'],
] as const;

function weighted<T>(...all: readonly (readonly [number, T])[]): fc.Arbitrary<T> {
  return fc.oneof(...all.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));
}

/** One thing that somebody does; the numbers choose among what there is at that moment. */
export type Action = {
  readonly do: (typeof KINDS)[number][1];
  readonly pick: number;
  readonly other: number;
  readonly form: number;
  readonly nonce: 'next' | 'waiting' | 'ahead' | 'used';
  readonly price: 'least' | 'double' | 'odd' | 'justBelow';
  readonly gas: 'enough' | 'short' | 'none';
};

export const action: fc.Arbitrary<Action> = fc.record({
  do: weighted<Action['do']>(...KINDS),
  pick: fc.nat(999),
  other: fc.nat(999),
  form: fc.nat(999),
  nonce: weighted<Action['nonce']>([40, 'next'], [6, 'waiting'], [1, 'ahead'], [2, 'used']),
  price: weighted<Action['price']>([6, 'least'], [6, 'double'], [6, 'odd'], [1, 'justBelow']),
  gas: weighted<Action['gas']>([40, 'enough'], [2, 'short'], [1, 'none']),
});

/** What happens to the whole chain between two rounds of actions. */
export type Turn =
  | { readonly turn: 'none' }
  | { readonly turn: 'mine'; readonly blocks: readonly BlockPlan[] }
  /** Takes the last blocks away and builds others in their place; what they held waits again only where it `returns`. */
  | { readonly turn: 'away'; readonly depth: number; readonly returns: boolean; readonly blocks: readonly BlockPlan[] }
  /** The node has forgotten what waited. */
  | { readonly turn: 'forget' };

/** Seconds of the world before a block, and by how many its own time is ahead of the world’s. */
export type BlockPlan = { readonly wait: number; readonly ahead: number };

const block: fc.Arbitrary<BlockPlan> = fc.record({
  wait: fc.constantFrom(1, 12, 70, 300, 900),
  ahead: weighted([8, 0], [1, 600], [1, 7000]),
});
const blocks = (minLength: number, maxLength: number) => fc.array(block, { minLength, maxLength });

export const turn: fc.Arbitrary<Turn> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Turn>({ turn: 'none' }) },
  { weight: 8, arbitrary: blocks(1, 2).map((plans): Turn => ({ turn: 'mine', blocks: plans })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 3 }), fc.boolean(), blocks(0, 3))
      .map(([depth, returns, plans]): Turn => ({ turn: 'away', depth, returns, blocks: plans })),
  },
  { weight: 1, arbitrary: fc.constant<Turn>({ turn: 'forget' }) },
);

type Scene = { readonly book: Book; readonly clock: number };

const at = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)];

/** What one action comes to now: a draft, or the number of an earlier one; null for nothing. `clock` is the time of the tip. */
export function offerOf(each: Action, { book, clock }: Scene): Draft | number | null {
  const { pick, other, form } = each;
  switch (each.do) {
    case 'again':
      return book.drafts.length === 0 ? null : pick % book.drafts.length;
    case 'pay':
      return payment(each, { book, clock });
    case 'claim':
    case 'refund':
      return ending(each, book);
    case 'send':
      return draftOf(each, {
        book,
        by: roleAt(pick),
        value: BigInt(form),
        call: { kind: 'transfer', to: roleAt(other) },
      });
    case 'void': {
      const by = book.drafts[at(book.order, pick) ?? -1]?.by ?? roleAt(pick);
      return draftOf({ ...each, nonce: 'waiting' }, { book, by, value: 0n, call: { kind: 'transfer', to: by } });
    }
    case 'dear':
      return draftOf(each, {
        book,
        by: roleAt(pick),
        value: 10n * FUNDS,
        call: { kind: 'transfer', to: roleAt(other) },
      });
    case 'half':
      // To itself, so that two of them never fit and one always does.
      return draftOf(each, {
        book,
        by: 'stranger',
        value: (FUNDS * 6n) / 10n,
        call: { kind: 'transfer', to: 'stranger' },
      });
  }
}

const roleAt = (pick: number): Role => at(['sender', 'sender', 'receiver', 'stranger'] as const, pick) ?? 'sender';

type Content = { readonly book: Book; readonly by: Role; readonly value: bigint; readonly call: DraftCall };

function draftOf(each: Action, { book, by, value, call }: Content): Draft {
  const nonce = nonceOf(each, { book, by });
  const rival = book.rival(by, nonce);
  const before = rival === undefined ? null : (book.drafts[rival]?.price ?? null);
  const gas = each.gas === 'enough' ? ENOUGH_GAS[call.kind] : each.gas === 'short' ? SHORT_GAS : NO_GAS;
  return { by, nonce, price: priceOf(each, before), gas, value, call };
}

function nonceOf({ nonce, pick }: Action, { book, by }: { readonly book: Book; readonly by: Role }): number {
  const used = book.used(by);
  if (nonce === 'ahead') return book.free(by) + 1 + (pick % 2);
  if (nonce === 'used' && used > 0) return used - 1 - (pick % Math.min(used, 3));
  const waiting = book.order.flatMap((tx) => (book.drafts[tx]?.by === by ? [book.drafts[tx]?.nonce ?? 0] : []));
  return nonce === 'waiting' ? (at(waiting, pick) ?? book.free(by)) : book.free(by);
}

/** `before`: of what waits with this nonce. */
function priceOf({ price, form }: Action, before: number | null): number {
  if (before === null) {
    if (price === 'justBelow') return LEAST_PRICE - 1;
    return price === 'least'
      ? LEAST_PRICE
      : price === 'double'
        ? 2 * LEAST_PRICE
        : LEAST_PRICE + 13 * (1 + (form % 70));
  }
  const least = replacementPrice(before);
  return price === 'least' ? least : price === 'double' ? 2 * before : price === 'odd' ? before : least - 1;
}

function payment(each: Action, { book, clock }: Scene): Draft {
  const { pick, other, form } = each;
  const [from, to] = form % 7 === 0 ? (['receiver', 'sender'] as const) : (['sender', 'receiver'] as const);
  let agreed = book.agreed.length;
  if (form % 6 === 1 && agreed > 0) agreed = other % agreed;
  else {
    const promised = BigInt(1000 + pick);
    const lock = clock + ((pick % 41) - 12) * 60;
    book.agreed.push({ from, to, amount: promised, lock, reward: rewardOf(each, promised) });
  }
  const { amount, to: party, from: payer } = book.agreed[agreed] ?? { amount: 1n, to, from };
  const value = form % 23 === 2 ? 0n : form % 19 === 3 ? amount + 1n : amount;
  const by = form % 17 === 4 ? 'stranger' : payer;
  return draftOf(each, { book, by, value, call: { kind: 'payment', agreed, to: form % 29 === 5 ? 'nobody' : party } });
}

/** Two payments of three promise something: each target with the flags that it takes, and now and then what the contract refuses. */
function rewardOf({ other, form }: Action, amount: bigint): Reward | null {
  if (other % 3 === 0) return null;
  const target = form % 4;
  const onClaim = target < 2 ? form % 8 < 4 : form % 31 === 2;
  if (other % 17 === 1) return { target, onClaim, amount: amount + BigInt(form % 2) };
  const parts = [amount / 7n, amount - 1n, 1n, amount / 3n, 0n];
  return { target, onClaim, amount: at(parts, form) ?? 0n };
}

const WRONGS = ['secret', 'amount', 'party', 'by', 'value', 'reward', 'owner', 'kind'] as const;

function ending(each: Action, book: Book): Draft | null {
  const { pick, other, form } = each;
  const open = book.agreed.flatMap((_, place) => (book.kept(place) === 1 ? [place] : []));
  const agreed = other % 4 === 0 || open.length === 0 ? at([...book.agreed.keys()], pick) : at(open, pick);
  const terms = agreed === undefined ? undefined : book.agreed[agreed];
  if (agreed === undefined || terms === undefined || terms.to === 'nobody') return null;
  const wrong = form % 3 === 0 ? at(WRONGS, other) : undefined;
  const [actor, party]: readonly [Role, Role] = each.do === 'claim' ? [terms.to, terms.from] : [terms.from, terms.to];
  const call: DraftCall = {
    kind: each.do === 'claim' ? 'claim' : 'refund',
    agreed,
    secret: wrong === 'secret' ? 'wrong' : 'right',
    party: wrong === 'party' ? 'stranger' : party,
    amount: wrong === 'amount' ? terms.amount + 1n : terms.amount,
    forParty: forPartyOf(each, { reward: terms.reward, owner: actor, wrong }),
  };
  // With a reward anybody may, and mostly it is not the party.
  const callers: readonly Role[] = [actor, 'stranger', 'stranger', party];
  const anybody = call.forParty === null ? actor : (at(callers, form) ?? actor);
  return draftOf(each, { book, by: wrong === 'by' ? 'stranger' : anybody, value: wrong === 'value' ? 1n : 0n, call });
}

type Promised = { readonly reward: Reward | null; readonly owner: Role; readonly wrong: string | undefined };

/** What a payment without a reward is not ended by, nor one with a reward by the plain functions. */
function forPartyOf({ other, form }: Action, { reward, owner, wrong }: Promised) {
  const isFor = (reward !== null) !== (wrong === 'kind');
  if (!isFor) return null;
  const named = reward ?? { target: form % 4, onClaim: form % 5 < 2, amount: 1n };
  const others = [{ amount: named.amount + 1n }, { onClaim: !named.onClaim }, { target: (named.target + 1) % 4 }];
  return {
    owner: wrong === 'owner' ? ('stranger' as const) : owner,
    reward: wrong === 'reward' ? { ...named, ...at(others, other) } : named,
  };
}
