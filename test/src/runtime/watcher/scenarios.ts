import type { StopReason, Watch } from '../../../../src/events/watcher.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { L, sample } from '../../../machines/watcher/support.ts';
import { type Happening, OPAQUE, type Script, type Trouble } from './script.ts';

const { txs, terms } = sample;

/** The sample's message as the taker of a chain sends it whose transactions only its adapter can read. */
export const opaqueWatch: Watch = {
  ...sample.watch,
  maker_payment_spend_preimage: `${OPAQUE}01`,
  taker_payment_refund_preimage: `${OPAQUE}02`,
};

const secret = bytesToHex(terms.secret);
const plain = ({ tx_hex, tx_hash }: { readonly tx_hex: string; readonly tx_hash: string }) => ({ tx_hex, tx_hash });
const other = (label: string) => ({ tx_hex: `ff${label}`, tx_hash: `${label}${'0'.repeat(64 - label.length)}` });

const FUNDED: Happening = { at: 300, kind: 'funded' };
const PAID: Pick<Script, 'fee' | 'taker' | 'maker' | 'troubles'> = {
  fee: [null],
  taker: [FUNDED],
  maker: [FUNDED],
  troubles: [],
};

function spentByMaker(at: number, changes: Partial<Extract<Happening, { kind: 'spent' }>> = {}): Happening {
  return { at, kind: 'spent', how: 'secret', tx: plain(txs.takerPaymentSpend()), secret, ...changes };
}

const takerClaim = (at: number, changes: Partial<Extract<Happening, { kind: 'spent' }>> = {}): Happening => {
  return { at, kind: 'spent', how: 'secret', tx: other('aa11'), secret, ...changes };
};

const takerRefund = (at: number, changes: Partial<Extract<Happening, { kind: 'spent' }>> = {}): Happening => {
  return { at, kind: 'spent', how: 'refund', tx: other('bb22'), secret: null, ...changes };
};

const makerRefund = (at: number): Happening => {
  return { at, kind: 'spent', how: 'refund', tx: other('cc33'), secret: null };
};

function trouble(leg: Trouble['leg'], op: Trouble['op'], changes: Partial<Trouble> = {}): Trouble {
  return { leg, op, from: 0, until: Infinity, fault: { kind: 'unavailable', message: 'no answer' }, ...changes };
}

export type Scenario = {
  readonly name: string;
  readonly script: Script;
  readonly watch?: Partial<Watch>;
  /** Public events between the request and the end. */
  readonly events: readonly string[];
  readonly reason: StopReason;
  readonly error?: string;
  /** Where bytes that nobody can read end otherwise. */
  readonly opaque?:
    | { readonly events?: readonly string[]; readonly reason?: StopReason; readonly error?: string }
    | 'skip';
};

const VALID = ['TakerFeeValidated', 'TakerPaymentValidated'];
const FOUND = [...VALID, 'TakerPaymentSpendFound'];
const CLAIMED = [...FOUND, 'MakerPaymentSpent'];

const helping: readonly Scenario[] = [
  {
    name: 'the maker claims while the taker is offline: the watcher claims from one lock duration on',
    script: { ...PAID, taker: [FUNDED, spentByMaker(3000)] },
    events: CLAIMED,
    reason: 'MakerPaymentSpent',
  },
  {
    name: 'the maker claims after the lock of the taker payment: the watcher claims at once',
    script: { ...PAID, taker: [FUNDED, spentByMaker(L * 1.2)] },
    events: CLAIMED,
    reason: 'MakerPaymentSpent',
  },
  {
    name: 'the node shows no secret, but the bytes of the spend do',
    script: { ...PAID, taker: [FUNDED, spentByMaker(3000, { secret: null })] },
    events: CLAIMED,
    reason: 'MakerPaymentSpent',
  },
  {
    name: 'the node shows a wrong secret, but the bytes of the spend the right one',
    script: { ...PAID, taker: [FUNDED, spentByMaker(3000, { secret: '11'.repeat(32) })] },
    events: CLAIMED,
    reason: 'MakerPaymentSpent',
  },
  {
    name: 'nobody moves the taker payment: the watcher refunds after one and a half lock durations',
    script: PAID,
    events: [...VALID, 'TakerPaymentRefunded'],
    reason: 'TakerPaymentRefunded',
  },
  {
    name: 'the own clock of the taker chain is far behind: the refund waits for it',
    script: { ...PAID, lag: 5000 },
    events: [...VALID, 'TakerPaymentRefunded'],
    reason: 'TakerPaymentRefunded',
  },
  {
    name: 'many confirmations were asked for: the watcher waits for one',
    script: { ...PAID, taker: [{ at: L * 0.8 - 70, kind: 'funded' }] },
    watch: { taker_payment_confirmations: 5 },
    events: [...VALID, 'TakerPaymentRefunded'],
    reason: 'TakerPaymentRefunded',
  },
  {
    name: 'no confirmation was asked for: the watcher waits for none',
    script: { ...PAID, taker: [{ at: L * 0.8 - 10, kind: 'funded' }] },
    watch: { taker_payment_confirmations: 0 },
    events: [...VALID, 'TakerPaymentRefunded'],
    reason: 'TakerPaymentRefunded',
  },
  {
    name: 'a wrong taker payment in the mempool makes room for the right one',
    script: {
      ...PAID,
      taker: [
        { at: 440, kind: 'funded', problem: 'wrong value' },
        { at: 490, kind: 'funded' },
      ],
    },
    events: [...VALID, 'TakerPaymentRefunded'],
    reason: 'TakerPaymentRefunded',
  },
  {
    name: 'the maker takes a payment without confirmations: it counts as valid',
    script: { ...PAID, taker: [{ at: L * 0.8 - 12, kind: 'funded' }, spentByMaker(L * 0.8 - 11)] },
    events: CLAIMED,
    reason: 'MakerPaymentSpent',
  },
  {
    name: 'the fee is found at the third look',
    script: { ...PAID, fee: ['not found', 'not found', null] },
    events: [...VALID, 'TakerPaymentRefunded'],
    reason: 'TakerPaymentRefunded',
  },
];

const notNeeded: readonly Scenario[] = [
  {
    name: 'the taker claims by itself',
    script: { ...PAID, taker: [FUNDED, spentByMaker(3000)], maker: [FUNDED, takerClaim(3200)] },
    events: [...FOUND, 'MakerPaymentSpentByTaker'],
    reason: 'MakerPaymentSpentByTaker',
  },
  {
    name: 'the taker claims by itself after its time, before the watcher looks',
    script: { ...PAID, taker: [FUNDED, spentByMaker(L - 30)], maker: [FUNDED, takerClaim(L + 1)] },
    events: [...FOUND, 'MakerPaymentSpentByTaker'],
    reason: 'MakerPaymentSpentByTaker',
  },
  {
    name: 'the taker refunds by itself',
    script: { ...PAID, taker: [FUNDED, takerRefund(L * 1.1)] },
    events: [...VALID, 'TakerPaymentRefundedByTaker'],
    reason: 'TakerPaymentRefundedByTaker',
  },
];

const races: readonly Scenario[] = [
  {
    name: 'the claim of the taker replaces that of the watcher',
    script: {
      ...PAID,
      taker: [FUNDED, spentByMaker(3000)],
      maker: [FUNDED, takerClaim(L + 30, { replaces: true })],
    },
    events: [...CLAIMED, 'MakerPaymentSpentByTaker'],
    reason: 'MakerPaymentSpentByTaker',
  },
  {
    name: 'the claim of the taker is dropped before it is final: the watcher claims',
    script: {
      ...PAID,
      taker: [FUNDED, spentByMaker(3000)],
      maker: [FUNDED, takerClaim(L - 60), { at: L + 70, kind: 'unspent' }],
    },
    events: CLAIMED,
    reason: 'MakerPaymentSpent',
  },
  {
    name: "the maker's refund is dropped before it is final: the watcher claims",
    script: {
      ...PAID,
      taker: [FUNDED, spentByMaker(3000)],
      maker: [FUNDED, makerRefund(2 * L + 400), { at: 2 * L + 560, kind: 'unspent' }],
      troubles: [trouble('maker', 'broadcast', { until: 2 * L + 700 })],
    },
    events: CLAIMED,
    reason: 'MakerPaymentSpent',
  },
  {
    name: 'a spend without a secret is dropped, and the maker spends again',
    script: {
      ...PAID,
      taker: [
        FUNDED,
        spentByMaker(3100, { tx: other('dd44'), secret: null }),
        { at: 3250, kind: 'unspent' },
        spentByMaker(3300),
      ],
    },
    events: CLAIMED,
    reason: 'MakerPaymentSpent',
  },
  {
    name: 'the maker spends while the refund waits for its block: the watcher claims',
    script: { ...PAID, taker: [FUNDED, spentByMaker(L * 1.5 + 40, { replaces: true })] },
    events: [...VALID, 'TakerPaymentRefunded', 'TakerPaymentSpendFound', 'MakerPaymentSpent'],
    reason: 'MakerPaymentSpent',
  },
  {
    name: 'the maker spends just before the refund would go out: nothing is refunded',
    script: { ...PAID, taker: [FUNDED, spentByMaker(L * 1.5 - 1)] },
    events: CLAIMED,
    reason: 'MakerPaymentSpent',
  },
  {
    name: 'the refund of the taker replaces that of the watcher',
    script: { ...PAID, taker: [FUNDED, takerRefund(L * 1.5 + 40, { replaces: true })] },
    events: [...VALID, 'TakerPaymentRefunded', 'TakerPaymentRefundedByTaker'],
    reason: 'TakerPaymentRefundedByTaker',
  },
  {
    name: 'the own claim is dropped twice: it is sent again until it is final',
    script: {
      ...PAID,
      taker: [FUNDED, spentByMaker(3000)],
      maker: [FUNDED, { at: L + 70, kind: 'unspent' }, { at: L + 300, kind: 'unspent' }],
    },
    events: CLAIMED,
    reason: 'MakerPaymentSpent',
  },
  {
    name: 'the own refund is dropped: it is sent again until it is final',
    script: { ...PAID, taker: [FUNDED, { at: L * 1.5 + 70, kind: 'unspent' }] },
    events: [...VALID, 'TakerPaymentRefunded'],
    reason: 'TakerPaymentRefunded',
  },
  {
    name: 'the answers to both broadcasts are lost: the chain shows that they arrived',
    script: {
      ...PAID,
      taker: [FUNDED, spentByMaker(3000)],
      troubles: [trouble('maker', 'broadcast', { unanswered: true })],
    },
    events: CLAIMED,
    reason: 'MakerPaymentSpent',
  },
  {
    name: 'the node refuses the claim for its fee, for an hour',
    script: {
      ...PAID,
      taker: [FUNDED, spentByMaker(3000)],
      troubles: [trouble('maker', 'broadcast', { until: L + 3600, fault: { kind: 'feeTooLow', message: 'min fee' } })],
    },
    events: CLAIMED,
    reason: 'MakerPaymentSpent',
  },
  {
    name: 'both chains are out of reach again and again',
    script: {
      ...PAID,
      taker: [FUNDED, spentByMaker(3000)],
      troubles: [400, 1000, 2500, 3500, L - 10, L + 200, L + 700].flatMap((from) =>
        (['maker', 'taker'] as const).map((leg) => trouble(leg, 'any', { from, until: from + 150 })),
      ),
    },
    events: CLAIMED,
    reason: 'MakerPaymentSpent',
  },
];

const refusedMessages: readonly Scenario[] = [
  {
    name: 'the fee was not paid',
    script: { ...PAID, fee: ['Provided dex fee tx is not found'] },
    events: [],
    reason: 'InvalidTakerFee',
    error: 'Provided dex fee tx is not found',
  },
  {
    name: 'the taker payment does not come',
    script: { ...PAID, taker: [] },
    events: ['TakerFeeValidated'],
    reason: 'InvalidTakerPayment',
    error: 'the taker payment is not on the chain',
  },
  {
    name: 'the taker payment is of a wrong amount',
    script: { ...PAID, taker: [{ ...FUNDED, problem: 'wrong value' }] },
    events: ['TakerFeeValidated'],
    reason: 'InvalidTakerPayment',
    error: 'wrong value',
  },
  {
    name: 'a wrong taker payment waits in the mempool until the time is over',
    script: {
      ...PAID,
      taker: [{ at: L * 0.8 - 10, kind: 'funded', problem: 'wrong value' }],
      troubles: [],
    },
    events: ['TakerFeeValidated'],
    reason: 'InvalidTakerPayment',
    error: 'wrong value',
  },
  {
    name: 'the refund that the taker signed is for another payment',
    script: PAID,
    watch: { taker_payment_refund_preimage: txs.makerPaymentRefund().tx_hex },
    events: ['TakerFeeValidated'],
    reason: 'InvalidTakerPayment',
    error: 'the refund that the taker signed spends another payment',
    opaque: 'skip',
  },
  {
    name: 'what the taker calls its refund spends no payment',
    script: PAID,
    watch: { taker_payment_refund_preimage: txs.takerFee().tx_hex },
    events: ['TakerFeeValidated'],
    reason: 'InvalidTakerPayment',
    error: 'the refund that the taker signed spends no payment',
    opaque: 'skip',
  },
  {
    name: 'the taker payment is not confirmed in time',
    script: { ...PAID, taker: [{ at: L * 0.8 - 10, kind: 'funded' }] },
    events: ['TakerFeeValidated'],
    reason: 'TakerPaymentNotConfirmed',
    error: `Waited too long until ${sample.watch.swap_started_at + L * 0.8} for transaction ${sample.watch.taker_payment_hash} to be confirmed 1 times`,
  },
];

const failing: readonly Scenario[] = [
  {
    name: "the maker's spend shows no secret",
    script: { ...PAID, taker: [FUNDED, spentByMaker(3000, { tx: other('dd44'), secret: null })] },
    events: VALID,
    reason: 'UnableToExtractSecret',
  },
  {
    name: 'the maker payment is nowhere',
    script: { ...PAID, taker: [FUNDED, spentByMaker(3000)], maker: [] },
    events: FOUND,
    reason: 'MakerPaymentCouldNotBeFound',
    error: `the maker payment ${sample.watch.maker_payment_hash} is not on the chain`,
  },
  {
    name: 'the maker refunds while the watcher cannot reach its chain',
    script: {
      ...PAID,
      taker: [FUNDED, spentByMaker(3000)],
      maker: [FUNDED, makerRefund(2 * L + 400)],
      troubles: [trouble('maker', 'any', { from: 0, until: 2 * L + 1000 })],
    },
    events: FOUND,
    reason: 'MakerPaymentSpendFailed',
    error: `the maker payment was taken back by transaction ${other('cc33').tx_hash}`,
    opaque: { error: 'the maker payment was taken back by another transaction' },
  },
  {
    name: 'the claim is refused until the watch expires',
    script: {
      ...PAID,
      taker: [FUNDED, spentByMaker(3000)],
      troubles: [trouble('maker', 'broadcast', { fault: { kind: 'feeTooLow', message: 'min relay fee not met' } })],
    },
    events: FOUND,
    reason: 'MakerPaymentSpendFailed',
    error: 'min relay fee not met',
  },
  {
    name: 'the claim that the taker signed is none',
    script: { ...PAID, taker: [FUNDED, spentByMaker(3000)] },
    watch: { maker_payment_spend_preimage: txs.takerFee().tx_hex },
    events: FOUND,
    reason: 'MakerPaymentSpendFailed',
    error: 'the bytes are no preimage of a spend',
    opaque: 'skip',
  },
  {
    name: 'the refund is refused until the watch expires',
    script: {
      ...PAID,
      troubles: [trouble('taker', 'broadcast', { fault: { kind: 'invalid', message: 'bad signature' } })],
    },
    events: VALID,
    reason: 'TakerPaymentRefundFailed',
    error: 'bad signature',
  },
  {
    name: 'the taker chain answers nothing more',
    script: { ...PAID, troubles: [trouble('taker', 'any', { from: 2000 })] },
    events: VALID,
    reason: 'Expired',
  },
  {
    name: 'the taker chain never answers',
    script: { ...PAID, troubles: [trouble('taker', 'any')] },
    events: [],
    reason: 'Expired',
  },
  {
    name: 'the maker chain never answers',
    script: { ...PAID, taker: [FUNDED, spentByMaker(3000)], troubles: [trouble('maker', 'any')] },
    events: FOUND,
    reason: 'Expired',
  },
];

export const groups: Readonly<Record<string, readonly Scenario[]>> = {
  'a taker who is offline is helped': helping,
  'a taker who acts itself is left alone': notNeeded,
  'races end with what the chain has settled': races,
  'a message that is not true is not watched': refusedMessages,
  'what cannot be helped ends with its reason': failing,
};

/** Each scenario with bytes that the watcher can read, and with bytes that only the chain's adapter can. */
export const cases: readonly (Scenario & { readonly group: string; readonly watched: Watch })[] = Object.entries(
  groups,
).flatMap(([group, scenarios]) =>
  scenarios.flatMap(({ watch = {}, opaque = {}, ...scenario }) => {
    const readable = { ...scenario, group, watched: { ...sample.watch, ...watch } };
    if (opaque === 'skip') return [readable];
    return [
      readable,
      { ...scenario, ...opaque, group, name: `${scenario.name} (opaque bytes)`, watched: { ...opaqueWatch, ...watch } },
    ];
  }),
);
