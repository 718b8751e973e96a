import { ALL, cellsWith } from './cells.ts';
import { KILLED_TROUBLES } from './kill-troubles.ts';
import type { Cell } from './play.ts';
import type { Scenario } from './scenario.ts';
import type { Side } from './sides.ts';

/** Of one path on one pair of backends: who is killed. */
export type KillCell = Cell & {
  readonly title: string;
  readonly victims: readonly Side[];
  /** Whether the one that comes by the moment is killed once more after it was started again. */
  readonly twice: boolean;
  /** At which moments; null for those that a run without a kill has. */
  readonly points: readonly KillPoint[] | null;
  /** Which of how many parts of them is played. */
  readonly share: { readonly part: number; readonly parts: number };
};

/** One kill, and perhaps another one. */
export type KillPoint = {
  readonly trigger: Side;
  readonly of: string;
  readonly at: number;
  readonly again: number | null;
};

const SUCCESS = 'both sides swap';
const REFUNDS = [
  'the maker vanishes when it is paid, and is back late',
  'the taker vanishes when the maker has paid',
] as const;
const WATCHED = 'a watcher claims for a taker that is gone';
const SPED_UP = 'no miner takes a cheap claim, replacement off';
const ROBBED = 'somebody takes the nonce of the claim of the taker payment';
const BEHIND = 'the node of the maker coin answers as of four minutes ago from when the maker pays';
const OTHERS = [
  'two swaps of the same wallets',
  'two swaps of the same wallets, and the maker is back late',
  WATCHED,
  'a watcher refunds for a taker that is gone',
  'no miner takes a cheap claim, replacement on',
  SPED_UP,
  'no miner takes a cheap claim, and its node forgets it with its children, replacement off',
  'no miner takes the first claim, replacement on',
  'no miner takes the first claim, replacement off',
  'a reorganisation of depth 1 at takerPaymentTakenMined',
  'the maker cheats with the amount of its payment',
] as const;
const PATHS: readonly string[] = [SUCCESS, ...REFUNDS, ...OTHERS];
/** On which all paths are played. */
const PAIR = 'EL';

const PLAYED = [
  ...PATHS.flatMap((path) => ALL.filter(({ scenario }) => scenario.name === path)),
  ...cellsWith(KILLED_TROUBLES),
];

const CELLS: readonly Omit<KillCell, 'points' | 'share'>[] = PLAYED.flatMap((cell) => {
  const watcher: readonly (readonly Side[])[] = cell.scenario.watched === true ? [['watcher']] : [];
  const sides: readonly (readonly Side[])[] = [['maker'], ['taker'], ['maker', 'taker'], ...watcher];
  const once = sides
    .filter((victims) => victims.every((side) => !isGone(cell.scenario, side)))
    .map((victims) => ({
      ...{ ...cell, victims, twice: false },
      title: `${cell.title}, killed: ${victims.join(' and ')}`,
    }));
  return [...once, ...once.flatMap(twiceOf)];
});

/** Who never comes back is not killed. */
function isGone({ steps }: Scenario, side: Side): boolean {
  const deeds = steps.flatMap((step) => step.deeds);
  const last = deeds.findLast((deed) => (deed.do === 'die' || deed.do === 'revive') && deed.side === side);
  return last?.do === 'die';
}

/** Where one process alone is killed, it is so a second time as well. */
function twiceOf<C extends Omit<KillCell, 'points' | 'share'>>(cell: C): readonly C[] {
  return cell.victims.length > 1 ? [] : [{ ...cell, twice: true, title: `${cell.title} twice` }];
}

/** Each kind of moment, each role, and each end once: where money is on its way and the log does not yet say that it is, or says so alone. */
const SAMPLED: readonly (readonly [title: string, point: Omit<KillPoint, 'again'>])[] = [
  [`EL: ${SUCCESS}, killed: taker`, { trigger: 'taker', of: '^broadcast after', at: 1 }],
  [`LE: ${SUCCESS}, killed: maker`, { trigger: 'maker', of: '^write after', at: 5 }],
  [`EE: ${SUCCESS}, killed: maker and taker`, { trigger: 'taker', of: '^append before TransactionPrepared', at: 1 }],
  [`EE: ${REFUNDS[0]}, killed: taker`, { trigger: 'taker', of: '^broadcast after', at: 1 }],
  [`EE: ${WATCHED}, killed: watcher`, { trigger: 'watcher', of: '^broadcast after', at: 1 }],
  // The child of a claim is signed and nobody has it; a node has it, and the log does not say so.
  [`LE: ${SPED_UP}, killed: taker`, { trigger: 'taker', of: '^append after TransactionPrepared:claimChild', at: 1 }],
  [`EL: ${SPED_UP}, killed: taker`, { trigger: 'taker', of: '^append before BroadcastAccepted:claimChild', at: 1 }],
  // A nonce is taken by what is signed and in the log alone; a payment with its approval is at a node, and the log does not say so.
  [`AE: ${SUCCESS}, killed: maker`, { trigger: 'maker', of: '^append after TransactionPrepared', at: 1 }],
  [`TA: ${SUCCESS}, killed: maker`, { trigger: 'maker', of: '^broadcast after', at: 2 }],
  // A claim is in the log alone, and its nonce is taken meanwhile; a payment is at a node that then knows of nothing so late.
  [`EA: ${ROBBED}, killed: maker`, { trigger: 'maker', of: '^append after TransactionPrepared', at: 1 }],
  [`AE: ${BEHIND}, killed: maker`, { trigger: 'maker', of: '^broadcast after', at: 1 }],
];

const WHOLE = { part: 1, parts: 1 } as const;
const SHARE = /^(\d+)\/(\d+)$/;

const SAMPLE: readonly KillCell[] = SAMPLED.map(([title, point]) => {
  const cell = CELLS.find((each) => each.title === title);
  if (cell === undefined) throw new Error(`no cell ${title}`);
  return { ...cell, points: [{ ...point, again: null }], share: WHOLE };
});

/**
 * Whose processes are killed on which path: `all` of the pair with a real node, each once, or those of which each part of the text, divided by commas, is in the title or the path
 * (`EE,refund`); alternatives are divided by `|`, and `once` leaves out who is killed twice. A part such as `2/3` plays every third moment, from the second on. Without a text the sample.
 */
export function killCells(wanted: string | undefined): readonly KillCell[] {
  if (wanted === undefined || wanted === '') return SAMPLE;
  const parts = wanted.split(',');
  const [, part, all] = parts.map((each) => SHARE.exec(each)).find((found) => found !== null) ?? [];
  const share = all === undefined ? WHOLE : { part: Number(part), parts: Number(all) };
  const names = parts.filter((each) => !SHARE.test(each));
  const isAll = names.includes('all');
  return CELLS.filter(({ title, scenario, twice }) =>
    isAll
      ? title.startsWith(`${PAIR}:`) && !twice
      : names.every((part) =>
          part === 'once' ? !twice : part.split('|').some((one) => title.includes(one) || scenario.path.includes(one)),
        ),
  ).map((cell) => ({ ...cell, share, points: null }));
}

/** Each of them is a moment. */
const EACH = '^(append|broadcast|message) ';
/** There are hundreds of the second, and the first are close to what is before and after an append: so many of each are taken. */
const SOME = { '^write ': 5, '^question ': 6 } as const;

/** Of what a process comes by after it was started again, by turns: most of it is over by then. */
const AGAIN = [1, 2, 3, 5, 8] as const;

/** The moments of a run in which each side came by these. */
export function killPoints(
  { victims, share, twice }: KillCell,
  passed: ReadonlyMap<Side, readonly string[]>,
): readonly KillPoint[] {
  const all = victims.flatMap((trigger, turn) => {
    const found = passed.get(trigger) ?? [];
    // Nobody tells a watcher twice: a watch that it has not written down is lost with it.
    const first = trigger === 'watcher' ? found.findIndex((at) => at.startsWith('append after')) + 1 : 0;
    const numbered = (kind: string): readonly number[] => {
      const among = [...found.entries()].filter(([, at]) => new RegExp(kind).test(at));
      return among.flatMap(([place], index) => (place >= first ? [index + 1] : []));
    };
    const each = numbered(EACH).map((at) => ({ trigger, of: EACH, at }));
    const some = Object.entries(SOME).flatMap(([kind, most]) => {
      const among = numbered(kind);
      const taken = Math.min(among.length, most);
      return Array.from({ length: taken }, (_, place) => ({
        ...{ trigger, of: kind },
        at: among[Math.floor(((place + 0.5) * among.length) / taken)] ?? 1,
      }));
    });
    // Where two are killed at once, each is the trigger at every other moment of its own.
    return [...each, ...some].filter((_, place) => place % victims.length === turn);
  });
  return all
    .map((point, place) => ({ ...point, again: twice ? (AGAIN[place % AGAIN.length] ?? 1) : null }))
    .filter((_, place) => place % share.parts === share.part - 1);
}
