import type { Role } from '../../src/events/catalog.ts';
import type { SwapEra } from '../../src/testing/logs/swap-terms.ts';

/** A log by its events: one for each ending that stored logs of the real node have, closed or cut off. */
export type Ending = {
  readonly role: Role;
  /** The last event, or the last before `Finished` with that behind it. */
  readonly name: string;
  readonly path: readonly string[];
  readonly era?: SwapEra;
};

const TAKER = [
  ...['Started', 'Negotiated', 'TakerFeeSent', 'TakerPaymentInstructionsReceived', 'MakerPaymentReceived'],
  ...['MakerPaymentWaitConfirmStarted', 'MakerPaymentValidatedAndConfirmed', 'TakerPaymentSent', 'TakerPaymentSpent'],
  ...['MakerPaymentSpent', 'MakerPaymentSpendConfirmed'],
];
const MAKER = [
  ...['Started', 'Negotiated', 'MakerPaymentInstructionsReceived', 'TakerFeeValidated', 'MakerPaymentSent'],
  ...['TakerPaymentReceived', 'TakerPaymentWaitConfirmStarted', 'TakerPaymentValidatedAndConfirmed'],
  ...['TakerPaymentSpent', 'TakerPaymentSpendConfirmStarted', 'TakerPaymentSpendConfirmed'],
];
const TAKER_REFUND = ['TakerPaymentWaitForSpendFailed', 'TakerPaymentWaitRefundStarted', 'TakerPaymentRefundStarted'];
const MAKER_REFUND = ['MakerPaymentWaitRefundStarted', 'MakerPaymentRefundStarted'];
/** Releases before October 2022 wrote no instructions, and no start of a refund before 2023. */
const OLD = /Instructions|RefundStarted$|RefundFinished$/;

/** The way of success up to an event, without what comes after it. */
function before(role: Role, event: string): readonly string[] {
  const way = role === 'taker' ? TAKER : MAKER;
  const end = way.indexOf(event);
  if (end === -1) throw new RangeError(`no event of a ${role} that succeeds: ${event}`);
  return way.slice(0, end + 1);
}

function cut(role: Role, path: readonly string[]): Ending {
  return { role, name: path.at(-1) ?? 'empty', path };
}

function closed(role: Role, path: readonly string[]): Ending {
  return { role, name: `${path.at(-1)}-Finished`, path: [...path, 'Finished'] };
}

function old({ role, name, path }: Ending, era: SwapEra): Ending {
  const isWait = (event: string) => event.endsWith('WaitRefundStarted') && era !== '2019';
  return { role, name: `${name}-${era}`, path: path.filter((event) => isWait(event) || !OLD.test(event)), era };
}

const paidTaker = before('taker', 'TakerPaymentSent');
const spentTaker = before('taker', 'TakerPaymentSpent');
const watched = [...paidTaker, 'WatcherMessageSent'];
const paidMaker = before('maker', 'MakerPaymentSent');
const waiting = before('maker', 'TakerPaymentWaitConfirmStarted');
const valid = before('maker', 'TakerPaymentValidatedAndConfirmed');
const refunded = [...paidTaker, ...TAKER_REFUND, 'TakerPaymentRefunded'];
const tooLate = [...paidMaker, 'TakerPaymentValidateFailed'];

/** Every ending once, those of success first. */
export const endings: readonly Ending[] = [
  ...TAKER.map((event) => cut('taker', before('taker', event))),
  closed('taker', TAKER),
  old(closed('taker', before('taker', 'MakerPaymentSpent')), '2019'),
  closed('taker', ['StartFailed']),
  closed('taker', ['Started', 'NegotiateFailed']),
  closed('taker', ['Started', 'Negotiated', 'TakerFeeSendFailed']),
  closed('taker', [...before('taker', 'TakerFeeSent'), 'MakerPaymentValidateFailed']),
  closed('taker', [...before('taker', 'MakerPaymentWaitConfirmStarted'), 'MakerPaymentWaitConfirmFailed']),
  closed('taker', [...before('taker', 'MakerPaymentValidatedAndConfirmed'), 'TakerPaymentTransactionFailed']),
  cut('taker', watched),
  {
    ...closed('taker', [...watched, 'TakerPaymentSpent', 'MakerPaymentSpentByWatcher', 'MakerPaymentSpendConfirmed']),
    name: 'MakerPaymentSpentByWatcher-Finished',
  },
  closed('taker', [...watched, 'TakerPaymentRefundedByWatcher']),
  cut('taker', [...watched, ...TAKER_REFUND.slice(0, 2)]),
  cut('taker', [...spentTaker, 'MakerPaymentSpendFailed']),
  closed('taker', [...spentTaker, 'MakerPaymentSpendFailed']),
  cut('taker', [...spentTaker, 'MakerPaymentSpent', 'MakerPaymentSpendConfirmFailed']),
  closed('taker', [...paidTaker, 'TakerPaymentWaitForSpendFailed']),
  cut('taker', [...paidTaker, ...TAKER_REFUND]),
  cut('taker', refunded),
  closed('taker', [...refunded, 'TakerPaymentRefundFinished']),
  closed('taker', [...paidTaker, ...TAKER_REFUND, 'TakerPaymentRefundFailed']),
  ...MAKER.map((event) => cut('maker', before('maker', event))),
  closed('maker', MAKER),
  old(closed('maker', before('maker', 'TakerPaymentSpent')), '2019'),
  closed('maker', ['StartFailed']),
  closed('maker', ['Started', 'NegotiateFailed']),
  closed('maker', ['Started', 'Negotiated', 'TakerFeeValidateFailed']),
  closed('maker', [...before('maker', 'TakerFeeValidated'), 'MakerPaymentTransactionFailed']),
  { ...closed('maker', [...waiting, 'MakerPaymentTransactionFailed']), name: 'MakerPaymentTransactionFailed-paid' },
  cut('maker', [...tooLate, ...MAKER_REFUND.slice(0, 1)]),
  cut('maker', [...waiting, 'TakerPaymentWaitConfirmFailed', ...MAKER_REFUND]),
  cut('maker', [...valid, 'TakerPaymentSpendFailed']),
  cut('maker', [...before('maker', 'TakerPaymentSpendConfirmStarted'), 'TakerPaymentSpendConfirmFailed']),
  cut('maker', [...tooLate, ...MAKER_REFUND, 'MakerPaymentRefunded']),
  closed('maker', [...tooLate, ...MAKER_REFUND, 'MakerPaymentRefunded', 'MakerPaymentRefundFinished']),
  old(closed('maker', [...tooLate, 'MakerPaymentRefunded']), '2019'),
  closed('maker', [...tooLate, ...MAKER_REFUND, 'MakerPaymentRefundFailed']),
];
