import { type Difference, orderOf } from '../law-frame.ts';
import { type Book, type Draft, type DraftInput, NOWHERE, sameRef, type Verdict } from './draft.ts';

/** Where a draft meets its chain. */
export type Met = {
  readonly tx: number;
  readonly book: Book;
  /** Median time past. */
  readonly clock: number;
  /** Whether all that it would replace says that it may be replaced. */
  readonly signals: boolean;
};

/** Everything that is wrong with a draft; a chain names what it looks at first. */
export function faultsOf({ tx, book, clock, signals }: Met): ReadonlySet<Verdict> {
  const draft = book.drafts[tx] as Draft;
  const found = new Set<Verdict>();
  if (isMalformed(draft)) found.add('invalid');
  const rivals = book.rivals(tx);
  const leaving = book.withDescendants(rivals);
  for (const input of draft.inputs) {
    const missing = missingOf(book, { tx, input });
    if (missing !== null) found.add(missing);
    if (!fits(book, { draft, input }) || leaving.has(input.from.tx)) found.add('invalid');
  }
  const isLocked = draft.inputs.some(({ sequence }) => sequence !== 'final');
  if (isLocked && draft.lockTime >= clock) found.add('notFinal');
  // Of one that was made earlier nobody looks here what it would have to pay for what it replaces by now.
  const isLate = tx < book.drafts.length - 1 && rivals.length > 0;
  if (draft.fee === 'none' || draft.fee === 'below' || isLate) found.add('feeTooLow');
  if (rivals.length > 0 && !signals) found.add('noReplacement');
  if (rivals.length > 0 && addsUnconfirmed(draft, { book, rivals })) found.add('noReplacement');
  if (isCrowded(draft, book)) found.add('tooManyAncestors');
  return found;
}

/** BIP 125, rule 2. */
function addsUnconfirmed(
  { inputs }: Draft,
  { book, rivals }: { readonly book: Book; readonly rivals: readonly number[] },
): boolean {
  const before = rivals.flatMap((rival) => book.drafts[rival]?.inputs.map(({ from }) => from.tx) ?? []);
  return inputs.some(({ from }) => book.standing(from.tx) === 0 && !before.includes(from.tx));
}

const MOST_RELATED = 25;

/** Whether it, or something that it depends on, would be in too large a company that waits. */
function isCrowded({ inputs }: Draft, book: Book): boolean {
  const above = new Set(inputs.map(({ from }) => from.tx).filter((parent) => book.standing(parent) === 0));
  for (const parent of above) {
    for (const { from } of book.drafts[parent]?.inputs ?? []) if (book.standing(from.tx) === 0) above.add(from.tx);
  }
  return above.size >= MOST_RELATED || [...above].some((parent) => book.withDescendants([parent]).size >= MOST_RELATED);
}

function isMalformed({ inputs, outputs, fee }: Draft): boolean {
  const isTwice = inputs.some(({ from }, place) => inputs.findIndex((other) => sameRef(other.from, from)) !== place);
  const isDust = outputs.some(({ kind, value }) => kind === 'key' && value !== 'rest' && value < 100_000n);
  const isOfNothing = inputs.some(({ from }) => from.tx === NOWHERE);
  const carried = outputs.filter(({ kind }) => kind === 'data').length;
  return isTwice || isDust || isOfNothing || carried > 1 || outputs.length === 0 || fee === 'negative';
}

type Taken = { readonly tx: number; readonly input: DraftInput };

function missingOf(book: Book, { tx, input: { from } }: Taken): Verdict | null {
  if (from.tx === NOWHERE) return 'parentsUnknown';
  if (book.standing(from.tx) === null) return book.conflictDepth(from.tx) > 0 ? 'inputsSpent' : 'parentsUnknown';
  if (book.drafts[from.tx]?.outputs[from.vout] === undefined) return 'invalid';
  const taker = book.takerOf(from, tx);
  return taker !== undefined && (book.standing(taker) ?? 0) > 0 ? 'inputsSpent' : null;
}

/** Whether an input opens the output that it takes. */
function fits(book: Book, { draft, input }: { readonly draft: Draft; readonly input: DraftInput }): boolean {
  const { from, unlock, sequence } = input;
  const output = book.drafts[from.tx]?.outputs[from.vout];
  if (output?.kind === 'key') return unlock === 'key';
  if (output?.kind !== 'htlc') return false;
  if (unlock === 'secret') return true;
  return unlock === 'refund' && sequence !== 'final' && draft.lockTime >= output.lock;
}

/** All in which the simulated chain is not Litecoin Core. What fits none of them is a defect of the one or the other. */
export const DIFFERENCES: readonly Difference<Verdict, Met>[] = [
  orderOf(faultsOf),
  {
    name: 'leaving',
    why: 'Litecoin Core counts what a replacement evicts into the family that may not be too large, but for one',
    applies: (here, there, met) =>
      here === 'sent' &&
      there === 'tooManyAncestors' &&
      met.book.withDescendants(met.book.rivals(met.tx)).size > 1 &&
      faultsOf(met).has('tooManyAncestors'),
  },
  {
    name: 'data',
    why: 'nodes relay one output of data; here a fee that burns and names its swap has two',
    applies: (here, there, { tx, book }) =>
      here === 'sent' &&
      there === 'invalid' &&
      (book.drafts[tx]?.outputs.filter(({ kind }) => kind === 'data').length ?? 0) > 1,
  },
];

/**
 * What a reorganisation returns is held against the limits of relay once more by Litecoin Core, so that of a company that was mined
 * over several blocks some are dropped; on the simulated chain all of it waits again.
 */
export function isOfCrowd(tx: number, { drafts }: Book): boolean {
  const family = new Set([tx]);
  for (const each of family) {
    for (const { from } of drafts[each]?.inputs ?? []) if (from.tx > 0) family.add(from.tx);
    for (const [child, { inputs }] of drafts.entries()) {
      if (each !== 0 && inputs.some(({ from }) => from.tx === each)) family.add(child);
    }
  }
  return family.size > MOST_RELATED;
}
