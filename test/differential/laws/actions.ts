import fc from 'fast-check';
import {
  type Book,
  COIN,
  type Draft,
  type DraftInput,
  type DraftOutput,
  LOCKED,
  NOWHERE,
  type Ref,
  SLACK,
} from './draft.ts';

const KINDS = [
  [12, 'pay'],
  [12, 'send'],
  [14, 'claim'],
  [14, 'refund'],
  [6, 'again'],
  [1, 'row'],
  [1, 'fan'],
  [3, 'odd'],
] as const;
type Kind = (typeof KINDS)[number][1];

/** One thing that somebody does; the numbers choose among what there is at that moment. */
export type Action = {
  readonly do: Kind;
  readonly pick: number;
  readonly other: number;
  readonly form: number;
  readonly fee: Draft['fee'];
  readonly from: 'free' | 'waiting' | 'spent' | 'lost';
};

export const action: fc.Arbitrary<Action> = fc.record({
  do: fc.oneof(...KINDS.map(([weight, kind]) => ({ weight, arbitrary: fc.constant<Kind>(kind) }))),
  pick: fc.nat(999),
  other: fc.nat(999),
  form: fc.nat(999),
  fee: fc.oneof(
    { weight: 5, arbitrary: fc.constant<Draft['fee']>('least') },
    { weight: 3, arbitrary: fc.constant<Draft['fee']>('double') },
    { weight: 3, arbitrary: fc.constant<Draft['fee']>('below') },
    { weight: 1, arbitrary: fc.constant<Draft['fee']>('none') },
  ),
  from: fc.oneof(
    { weight: 6, arbitrary: fc.constant<Action['from']>('free') },
    { weight: 5, arbitrary: fc.constant<Action['from']>('waiting') },
    { weight: 1, arbitrary: fc.constant<Action['from']>('spent') },
    { weight: 1, arbitrary: fc.constant<Action['from']>('lost') },
  ),
});

/** What happens to the whole chain between two rounds of actions. */
export type Turn =
  | { readonly turn: 'none' }
  | { readonly turn: 'mine'; readonly blocks: readonly BlockPlan[] }
  /** Takes the last blocks away and builds others in their place; fewer than before, until `back` returns to the old ones. */
  | { readonly turn: 'away'; readonly depth: number; readonly blocks: readonly BlockPlan[] }
  | { readonly turn: 'back' }
  /** The node starts anew without what waited. */
  | { readonly turn: 'forget' };

export type BlockPlan = {
  readonly include: 'all' | 'none' | 'some';
  /** Which ones, for some. */
  readonly salt: number;
  /** Seconds of the world before the block. */
  readonly wait: number;
  /** Whether the miner includes a transaction of its own in some sequences. */
  readonly extra: boolean;
};

const block: fc.Arbitrary<BlockPlan> = fc.record({
  include: fc.oneof(
    { weight: 4, arbitrary: fc.constant<BlockPlan['include']>('all') },
    { weight: 2, arbitrary: fc.constant<BlockPlan['include']>('none') },
    { weight: 3, arbitrary: fc.constant<BlockPlan['include']>('some') },
  ),
  salt: fc.nat(0xffff),
  wait: fc.constantFrom(1, 20, 70, 300, 900),
  extra: fc.boolean(),
});

export const turn: fc.Arbitrary<Turn> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Turn>({ turn: 'none' }) },
  {
    weight: 6,
    arbitrary: fc.array(block, { minLength: 1, maxLength: 2 }).map((blocks): Turn => ({ turn: 'mine', blocks })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 3 }), fc.array(block, { maxLength: 4 }))
      .map(([depth, blocks]): Turn => ({ turn: 'away', depth, blocks })),
  },
  { weight: 2, arbitrary: fc.constant<Turn>({ turn: 'back' }) },
  { weight: 1, arbitrary: fc.constant<Turn>({ turn: 'forget' }) },
);

/** What an output is worth at the least. */
function worth({ drafts }: Book, { tx, vout }: Ref): bigint {
  const draft = drafts[tx];
  const output = draft?.outputs[vout];
  if (draft === undefined || output === undefined) return 0n;
  if (output.kind !== 'key' || output.value !== 'rest') return output.value as bigint;
  const taken = draft.inputs.reduce((total, { from }) => total + (from.tx === tx ? 0n : worthOf(drafts, from)), 0n);
  const given = draft.outputs.reduce((total, { value }) => total + (value === 'rest' ? 0n : value), 0n);
  return taken - given - SLACK;

  function worthOf(all: readonly Draft[], from: Ref): bigint {
    return from.tx < all.length ? worth({ drafts: all } as Book, from) : 0n;
  }
}

function outputsOf(book: Book, kind: DraftOutput['kind'], from: Action['from']): readonly Ref[] {
  const found: Ref[] = [];
  for (const [tx, draft] of book.drafts.entries()) {
    if (from === 'lost' ? !book.ever.has(tx) || book.standing(tx) !== null : book.standing(tx) === null) continue;
    for (const [vout, output] of draft.outputs.entries()) {
      if (output.kind !== kind) continue;
      const taker = book.takerOf({ tx, vout }, NOWHERE);
      const standing = taker === undefined ? null : book.standing(taker);
      const state = standing === null ? 'free' : standing === 0 ? 'waiting' : 'spent';
      if (from === 'lost' || state === from) found.push({ tx, vout });
    }
  }
  return found;
}

const at = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)];
const REST: DraftOutput = { kind: 'key', value: 'rest' };
const SEQUENCES = ['replaceable', 'replaceable', 'replaceable', 'final', 'locked'] as const;

/** What one action comes to now: drafts to be offered one after the other, or the number of an earlier one. */
export type Offer = readonly (Draft | number)[];

/** `clock` is the median time past. */
export function offersOf(each: Action, { book, clock }: { readonly book: Book; readonly clock: number }): Offer {
  const { pick, other, form, fee, from } = each;
  const sequence = at(SEQUENCES, other) as DraftInput['sequence'];
  const keyed = (ref: Ref): DraftInput => ({ from: ref, unlock: 'key', sequence });
  switch (each.do) {
    case 'again':
      return book.drafts.length > 1 ? [1 + (pick % (book.drafts.length - 1))] : [];
    case 'pay': {
      const ref = at(outputsOf(book, 'key', from), pick);
      if (ref === undefined || worth(book, ref) < LOCKED + SLACK) return [];
      const lock = clock + (((form * 7) % 41) - 20) * 60;
      const outputs = [{ kind: 'htlc', value: LOCKED, lock } as const, { kind: 'data', value: 0n } as const, REST];
      return [{ inputs: [keyed(ref)], outputs, lockTime: form % 5 === 0 ? clock - 1 + (form % 3) : 0, fee }];
    }
    case 'send': {
      const pool = outputsOf(book, 'key', from);
      const ref = at(pool, pick);
      if (ref === undefined || worth(book, ref) < SLACK) return [];
      const second =
        form % 3 === 0 ? at(other % 2 === 0 ? pool : outputsOf(book, 'key', 'free'), other + 1) : undefined;
      const refs = second === undefined || (second.tx === ref.tx && second.vout === ref.vout) ? [ref] : [ref, second];
      const outputs =
        form % 4 === 0 && worth(book, ref) > COIN / 2n ? [{ kind: 'key', value: COIN / 4n } as const] : [];
      const lockTime = form % 7 === 0 ? clock + (form % 3) - 1 : 0;
      return [{ inputs: refs.map(keyed), outputs: [...outputs, REST], lockTime, fee }];
    }
    case 'claim':
    case 'refund':
      return unlockings(each, { book, clock });
    case 'row':
    case 'fan':
      return crowds(each, book);
    case 'odd':
      return oddities(each, book);
  }
}

const CLAIMS = ['secret', 'secret', 'secret', 'secret', 'wrongSecret', 'bare', 'key'] as const;
const REFUNDS = ['refund', 'refund', 'refund', 'refund', 'refund', 'foreignRefund'] as const;

function unlockings(each: Action, { book, clock }: { readonly book: Book; readonly clock: number }): Offer {
  const { pick, other, form, fee } = each;
  const ref = at(outputsOf(book, 'htlc', each.from), pick);
  const output = ref === undefined ? undefined : book.drafts[ref.tx]?.outputs[ref.vout];
  if (ref === undefined || output?.kind !== 'htlc') return [];
  const { lock } = output;
  if (each.do === 'claim') {
    const unlock = at(CLAIMS, form) as DraftInput['unlock'];
    const sequence = at(SEQUENCES, other) as DraftInput['sequence'];
    const lockTime = at([0, 0, lock, clock - 1, clock], other + form) as number;
    return [{ inputs: [{ from: ref, unlock, sequence }], outputs: [REST], lockTime, fee }];
  }
  const unlock = at(REFUNDS, form) as DraftInput['unlock'];
  const sequence = at(['locked', 'replaceable', 'replaceable', 'replaceable', 'final'] as const, other);
  const lockTime = at([lock, lock, Math.max(lock, clock - 1), Math.max(lock, clock), lock - 1], form + other);
  return [
    {
      inputs: [{ from: ref, unlock, sequence: sequence ?? 'locked' }],
      outputs: [REST],
      lockTime: lockTime ?? lock,
      fee,
    },
  ];
}

/** Many that wait and depend on one another: in a row, or all on one. */
function crowds({ do: kind, pick, form }: Action, book: Book): Offer {
  const ref = at(outputsOf(book, 'key', 'free'), pick);
  const count = 22 + (form % 6);
  const first = book.drafts.length;
  if (ref === undefined || worth(book, ref) < COIN / 2n) return [];
  const spending = (from: Ref): DraftInput => ({ from, unlock: 'key', sequence: 'replaceable' });
  if (kind === 'row') {
    return Array.from({ length: count }, (_, place) => ({
      inputs: [spending(place === 0 ? ref : { tx: first + place - 1, vout: 0 })],
      outputs: [REST],
      lockTime: 0,
      fee: 'least' as const,
    }));
  }
  const outputs = [...Array.from({ length: count }, () => ({ kind: 'key', value: COIN / 100n }) as const), REST];
  const fan: Draft = { inputs: [spending(ref)], outputs, lockTime: 0, fee: 'least' };
  const children = Array.from({ length: count }, (_, vout): Draft => {
    return { inputs: [spending({ tx: first, vout })], outputs: [REST], lockTime: 0, fee: 'least' };
  });
  return [fan, ...children];
}

const DUST = 999n;

/** What no node takes, or what is at the edge of it. */
function oddities({ pick, form, fee }: Action, book: Book): Offer {
  const ref = at(outputsOf(book, 'key', 'free'), pick);
  if (ref === undefined || worth(book, ref) < 2n * SLACK) return [];
  const spent: DraftInput = { from: ref, unlock: 'key', sequence: 'replaceable' };
  const draft: Draft = { inputs: [spent], outputs: [REST], lockTime: 0, fee };
  const data = { kind: 'data', value: 0n } as const;
  const variants: readonly Draft[] = [
    { ...draft, outputs: [{ kind: 'key', value: DUST }, REST] },
    { ...draft, outputs: [REST, data, data] },
    { ...draft, outputs: [REST, { kind: 'data', value: 5000n }] },
    { ...draft, fee: 'negative' },
    { ...draft, inputs: [spent, spent] },
    { ...draft, inputs: [{ ...spent, from: { tx: NOWHERE, vout: pick } }] },
    { ...draft, inputs: [spent, { ...spent, from: { tx: NOWHERE, vout: pick } }] },
    { ...draft, inputs: [{ ...spent, from: { tx: ref.tx, vout: 77 } }] },
    { ...draft, inputs: [{ ...spent, unlock: 'wrongKey' }] },
    { ...draft, inputs: [{ ...spent, unlock: 'secret' }] },
    { ...draft, outputs: [data] },
    { ...draft, outputs: [] },
  ];
  return [at(variants, form) as Draft];
}
