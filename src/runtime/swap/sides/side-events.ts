import { refundWaitedUntil } from '../../../../machines/deadlines/table.ts';
import type { SwapSide } from '../../../../machines/swap/side.ts';
import type { StoredTransaction } from '../../../events/payloads.ts';
import type { UnixSeconds } from '../../../primitives/time.ts';
import type { NewEvent } from '../../command.ts';
import { plainTransaction } from '../side-inputs.ts';
import type { SideEvents } from '../swap-facts.ts';

/** The names of a side's public events that both sides have, and how the other side's differ. */
export type SideNames = {
  readonly ownSent: string;
  readonly ownSendFailed: string;
  readonly otherReceived: string;
  readonly otherAwaited: string;
  readonly otherValidated: string;
  readonly otherInvalid: string;
  readonly otherUnconfirmed: string;
  readonly claimed: string;
  /** What else the log says; null for nothing. */
  readonly claimAwaited: string | null;
  readonly claimedByOther: string;
  readonly claimFailed: string;
  readonly claimConfirmed: string;
  readonly claimUnconfirmed: string;
  readonly refundAwaited: string;
  readonly refundStarted: string;
  readonly refunded: string;
  readonly refundedByOther: string;
  readonly refundFailed: string;
  readonly refundFinished: string;
};

/** What distinguishes the sides' shared events. */
export type SideForm = {
  readonly names: SideNames;
  /** States in which a claim has not been reported, and in which it has. */
  readonly claiming: ReadonlySet<string>;
  readonly confirming: ReadonlySet<string>;
  /** Whether the own payment is out by the time the other one can fail, so that it must be refunded. */
  readonly paysFirst: boolean;
  /** How the real node words what failed. */
  readonly texts: {
    readonly otherInvalid: (error: string) => string;
    readonly otherUnconfirmed: (error: string) => string;
    readonly claimUnconfirmed: (error: string) => string;
    readonly refundNotSent: (error: string) => string;
  };
};

export type SideAt = () => Pick<SwapSide, 'state' | 'ownLock'>;

/** The events that only one of the sides has, or fills by itself. */
export type OwnEvents = Pick<
  SideEvents,
  | 'started'
  | 'fee'
  | 'feeBefore'
  | 'negotiationTerms'
  | 'negotiationOffer'
  | 'negotiationReply'
  | 'feeCheck'
  | 'feeMessage'
  | 'watch'
>;

/**
 * The events of a side's swap, under the names that the effects use for both roles. Members are named one by one: a spread takes many times as long,
 * and a simulation makes two of these for every swap.
 */
export function sideEvents(form: SideForm, at: SideAt, own: OwnEvents): SideEvents {
  const { names, paysFirst, texts } = form;
  const waitStarted = (): NewEvent => ({
    type: names.refundAwaited,
    data: { wait_until: refundWaitedUntil(at().ownLock ?? (0 as UnixSeconds)) },
  });
  const failing = (type: string, error: string): readonly NewEvent[] =>
    paysFirst ? [failed(type, error), waitStarted()] : [failed(type, error)];
  const claimLost = (error: string): readonly NewEvent[] => {
    const { state } = at();
    if (form.claiming.has(state)) return failing(names.claimFailed, error);
    return form.confirming.has(state) ? failing(names.claimUnconfirmed, texts.claimUnconfirmed(error)) : [];
  };
  return {
    ownSent: (tx) => ({ type: names.ownSent, data: plainTransaction(tx) }),
    ownSendFailed: (error) => failed(names.ownSendFailed, error),
    otherReceived: (tx) => [
      { type: names.otherReceived, data: plainTransaction(tx) },
      { type: names.otherAwaited, data: null },
    ],
    otherValidated: () => ({ type: names.otherValidated, data: null }),
    otherInvalid: (error) => failing(names.otherInvalid, texts.otherInvalid(error)),
    otherUnconfirmed: (error) => failing(names.otherUnconfirmed, texts.otherUnconfirmed(error)),
    claimed: (tx) => claimed(names.claimed, names.claimAwaited, tx),
    claimedByOther: (tx) => claimed(names.claimedByOther, names.claimAwaited, tx),
    claimFailed: claimLost,
    claimUnconfirmed: claimLost,
    claimConfirmed: () => ({ type: names.claimConfirmed, data: null }),
    refundWaitStarted: waitStarted,
    refundStarted: () => ({ type: names.refundStarted, data: null }),
    refunded: (tx) => ({ type: names.refunded, data: tx === null ? null : plainTransaction(tx) }),
    refundedByOther: (tx) => ({ type: names.refundedByOther, data: tx === null ? null : plainTransaction(tx) }),
    refundFailed: (error) => failed(names.refundFailed, error),
    refundFinished: () => ({ type: names.refundFinished, data: null }),
    closeLost(error) {
      const { state } = at();
      if (state === 'waitingForRefund') return { type: names.refundStarted, data: null };
      if (state === 'refunding') return failed(names.refundFailed, texts.refundNotSent(error));
      return paysFirst && state !== 'refundFailed' ? waitStarted() : { type: 'Finished', data: null };
    },
    started: own.started,
    fee: own.fee,
    feeBefore: own.feeBefore,
    negotiationTerms: own.negotiationTerms,
    negotiationOffer: own.negotiationOffer,
    negotiationReply: own.negotiationReply,
    feeCheck: own.feeCheck,
    feeMessage: own.feeMessage,
    watch: own.watch,
  };
}

function failed(type: string, error: string): NewEvent {
  return { type, data: { error } };
}

function claimed(type: string, awaited: string | null, tx: StoredTransaction): readonly NewEvent[] {
  const told = { type, data: plainTransaction(tx) };
  return awaited === null ? [told] : [told, { type: awaited, data: null }];
}
