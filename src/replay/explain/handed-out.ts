import type { JournalRecord } from '../../events/journal.ts';
import { isJsonObject } from '../../primitives/json.ts';
import type { ExplainFacts, Leg } from './facts.ts';

/** The own payment that the engine's records hold before any event does: the engine writes what it hands to the network, and only afterwards what came of it. */
export type HandedOut = {
  /** Id of the variant of which most is known. */
  readonly hash: string;
  /** What the log shows of it. `voided`: no variant can ever confirm. */
  readonly shown: 'accepted' | 'attempted' | 'refused' | 'withoutEffect' | 'voided';
};

type Told = Pick<ExplainFacts, 'log'>;

/** What stands in the records of the own payment where the events know of none; null where it was not handed out. */
export function handedOut({ owner, status }: Pick<Leg, 'owner' | 'status'>, { log }: Told): HandedOut | null {
  if (status !== 'none' || owner !== log.role) return null;
  const records = log.journal?.records ?? [];
  const variants = new Map<string, HandedOut['shown']>();
  for (const { type, data } of records) {
    const shown = SHOWN.get(type);
    if (shown === undefined || !isJsonObject(data) || data['purpose'] !== 'payment') continue;
    const { tx_hash: hash } = data;
    if (typeof hash !== 'string') continue;
    // What was handed out once may be anywhere, whatever a node said of it later on.
    if (type === 'BroadcastRefused' && variants.get(hash) === 'accepted') continue;
    variants.set(hash, shown);
  }
  for (const shown of MOST_FIRST) {
    const found = [...variants].findLast((variant) => variant[1] === shown);
    if (found !== undefined) return { hash: found[0], shown: isVoided(records, owner) ? 'voided' : shown };
  }
  return null;
}

/** Whether the coins of what was handed out may be locked. */
export function mayBeLocked(handed: HandedOut | null): handed is HandedOut {
  return handed !== null && handed.shown !== 'voided' && handed.shown !== 'withoutEffect';
}

/** The event after which a node may have sent its payment although its log does not say so: the real node writes what it did only afterwards. */
export const BEFORE_PAYMENT = {
  taker: 'MakerPaymentValidatedAndConfirmed',
  maker: 'TakerFeeValidated',
} as const;

/** Whether the log ends where its node may have sent a payment that it did not write down. This engine writes down first what it sends. */
export function mayHavePaidUnseen({ log }: Told): boolean {
  const isOwn = log.journal?.records.some(({ type }) => type === 'SwapRequested') === true;
  return !isOwn && log.events.some(({ type }) => type === BEFORE_PAYMENT[log.role]);
}

const SHOWN: ReadonlyMap<string, HandedOut['shown']> = new Map([
  ['BroadcastAttempted', 'attempted'],
  ['BroadcastAccepted', 'accepted'],
  ['BroadcastRefused', 'refused'],
  ['TransactionReverted', 'withoutEffect'],
]);

const MOST_FIRST = ['accepted', 'attempted', 'refused', 'withoutEffect'] as const;

function isVoided(records: readonly JournalRecord[], owner: Leg['owner']): boolean {
  return records.some(
    ({ type, data }) =>
      type === 'PaymentSettled' && isJsonObject(data) && data['payment'] === owner && data['how'] === 'voided',
  );
}

/** Where such a payment may be. */
export function handedOutSentence({ hash, shown }: HandedOut, { owner, text, coin }: Leg): string {
  const chain = coin === null ? 'its chain' : `the ${coin} chain`;
  const payment = `the ${owner} payment of ${text} (${hash})`;
  switch (shown) {
    case 'accepted':
      return `A node of ${chain} accepted ${payment}: only that chain shows whether a block has it.`;
    case 'attempted':
      return `The engine was about to broadcast ${payment}, or did: only ${chain} shows whether it is there.`;
    case 'refused':
      return `A node refused ${payment}, which is no proof that it is nowhere: only ${chain} shows whether it is there.`;
    case 'withoutEffect':
      return `A block of ${chain} included ${payment} without effect: it locks nothing.`;
    case 'voided':
      return `The ${owner} payment of ${text} (${hash}) was handed to ${chain}, where it can never confirm: it locks nothing.`;
  }
}
