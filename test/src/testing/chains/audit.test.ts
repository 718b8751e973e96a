import { describe, expect, it } from 'vitest';
import type { Role } from '../../../../src/events/catalog.ts';
import { decodeSavedSwap } from '../../../../src/events/saved-swap.ts';
import { dexFee } from '../../../../src/htlc/dex-fee.ts';
import type { Answer, PaymentTerms, PreparedTransaction } from '../../../../src/ports/chain.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';
import { auditSwap } from '../../../../src/replay/audit/audit-swap.ts';
import { createUtxoChain } from '../../../../src/testing/chains/utxo/chain.ts';
import { savedSwapHeadOf } from '../../../../src/testing/swap-head.ts';
import { storedEventBody } from '../../../../src/testing/swap-payloads.ts';
import { type SwapTerms, swapTerms } from '../../../../src/testing/swap-terms.ts';
import { swapTimeline } from '../../../../src/testing/swap-timeline.ts';
import type { BuiltTransaction, SwapTransactions } from '../../../../src/testing/swap-transactions.ts';
import { xorshift32 } from '../../../../src/testing/xorshift.ts';

type Ending = 'claimed' | 'watched' | 'refunded';

function got<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value;
  throw new Error(`${answer.fault.kind}: ${answer.fault.message}`);
}

/** A swap that two parties and a watcher made on two simulated chains of real bytes. */
function simulatedSwap(ending: Ending, coins: readonly [string, string]) {
  const [makerCoin, takerCoin] = coins;
  const base = swapTerms({ seed: ending, makerCoin, takerCoin });
  let now = base.takerStartedAt as number;
  const clock = () => now as UnixSeconds;
  const chains = coins.map((coin) => createUtxoChain({ coin, fidelity: 'real', now: clock, rng: xorshift32(1) }));
  const wallet = (index: number, party: string) =>
    chains[index]?.wallet({ party, funds: '10' as DecimalText }) ?? expect.fail('two chains');
  const [maker, taker, watcher] = ['maker', 'taker', 'watcher'].map(
    (party) => [wallet(0, party), wallet(1, party)] as const,
  );
  if (maker === undefined || taker === undefined || watcher === undefined) throw new Error('three parties');
  const keysOf = ([first, second]: typeof maker) => ({
    persistent: hexToBytes(second.htlcKey('swap')),
    makerCoin: hexToBytes(first.htlcKey('swap')),
    takerCoin: hexToBytes(second.htlcKey('swap')),
  });
  const terms: SwapTerms = { ...base, maker: keysOf(maker), taker: keysOf(taker) };
  const mine = (blocks: number) => {
    for (let left = blocks; left > 0; left--) {
      now += 60;
      for (const chain of chains) chain.mine();
    }
  };
  const shared = { secretHash: bytesToHex(terms.secretHash), contract: null };
  const makerTerms: PaymentTerms = {
    ...shared,
    lock: terms.makerLock,
    sender: maker[0].htlcKey('swap'),
    receiver: taker[0].htlcKey('swap'),
    amount: terms.makerAmount,
  };
  const takerTerms: PaymentTerms = {
    ...shared,
    lock: terms.takerLock,
    sender: taker[1].htlcKey('swap'),
    receiver: maker[1].htlcKey('swap'),
    amount: terms.takerAmount,
  };
  const first = { urgency: 0, replaces: null } as const;
  const { feeSat, burnSat } = dexFee({ takerCoin, makerCoin, takerAmount: terms.takerAmount });
  const secret = bytesToHex(terms.secret);
  const fee = got(taker[1].prepare({ purpose: 'fee', feeSat, burnSat, ...first }));
  got(taker[1].broadcast(fee));
  const makerPayment = got(maker[0].prepare({ purpose: 'payment', terms: makerTerms, ...first }));
  got(maker[0].broadcast(makerPayment));
  mine(3);
  const takerPayment = got(taker[1].prepare({ purpose: 'payment', terms: takerTerms, ...first }));
  got(taker[1].broadcast(takerPayment));
  const makerSpend = { terms: makerTerms, funding: makerPayment };
  const takerSpend = { terms: takerTerms, funding: takerPayment };
  const claimPreimage = got(taker[0].prepare({ purpose: 'claimPreimage', ...makerSpend }));
  const refundPreimage = got(taker[1].prepare({ purpose: 'refundPreimage', ...takerSpend }));
  mine(3);
  const made: Record<string, PreparedTransaction> = {};
  if (ending === 'refunded') {
    while (Math.min(...chains.map((chain) => chain.clock())) <= terms.makerLock) mine(20);
    made['makerRefund'] = got(maker[0].prepare({ purpose: 'refund', ...makerSpend, ...first }));
    got(watcher[1].broadcast(refundPreimage));
    got(maker[0].broadcast(made['makerRefund']));
  } else {
    made['takerPaymentSpend'] = got(maker[1].prepare({ purpose: 'claim', secret, ...takerSpend, ...first }));
    got(maker[1].broadcast(made['takerPaymentSpend']));
    const preimage = claimPreimage.tx_hex;
    made['makerPaymentSpend'] =
      ending === 'watched'
        ? got(watcher[0].prepare({ purpose: 'completePreimage', preimage, secret }))
        : got(taker[0].prepare({ purpose: 'claim', secret, ...makerSpend, ...first }));
    got((ending === 'watched' ? watcher : taker)[0].broadcast(made['makerPaymentSpend']));
  }
  mine(3);
  const built = (tx: PreparedTransaction | undefined) => (): BuiltTransaction => {
    if (tx === undefined) throw new Error('this transaction was not made');
    return { bytes: hexToBytes(tx.tx_hex), tx_hex: tx.tx_hex, tx_hash: tx.tx_hash };
  };
  const transactions: SwapTransactions = {
    takerFee: built(fee),
    makerPayment: built(makerPayment),
    takerPayment: built(takerPayment),
    takerPaymentSpend: built(made['takerPaymentSpend']),
    makerPaymentSpend: built(made['makerPaymentSpend']),
    makerPaymentSpendPreimage: built(claimPreimage),
    takerPaymentRefund: built(refundPreimage),
    makerPaymentRefund: built(made['makerRefund']),
  };
  for (const chain of chains) expect(chain.ledger.imbalance()).toBeNull();
  return {
    terms,
    transactions,
    statuses: chains.flatMap((chain) => chain.ledger.transactions().map(({ status }) => status)),
  };
}

const TAKER_START = [
  'Started',
  'Negotiated',
  'TakerFeeSent',
  'TakerPaymentInstructionsReceived',
  'MakerPaymentReceived',
  'MakerPaymentWaitConfirmStarted',
  'MakerPaymentValidatedAndConfirmed',
  'TakerPaymentSent',
  'WatcherMessageSent',
];
const MAKER_START = [
  'Started',
  'Negotiated',
  'MakerPaymentInstructionsReceived',
  'TakerFeeValidated',
  'MakerPaymentSent',
  'TakerPaymentReceived',
  'TakerPaymentWaitConfirmStarted',
  'TakerPaymentValidatedAndConfirmed',
];
const MAKER_CLAIMS = ['TakerPaymentSpent', 'TakerPaymentSpendConfirmStarted', 'TakerPaymentSpendConfirmed', 'Finished'];

const PATHS: Readonly<Record<Ending, Readonly<Record<Role, readonly string[]>>>> = {
  claimed: {
    taker: [...TAKER_START, 'TakerPaymentSpent', 'MakerPaymentSpent', 'MakerPaymentSpendConfirmed', 'Finished'],
    maker: [...MAKER_START, ...MAKER_CLAIMS],
  },
  watched: {
    taker: [...TAKER_START, 'TakerPaymentSpent', 'MakerPaymentSpentByWatcher', 'Finished'],
    maker: [...MAKER_START, ...MAKER_CLAIMS],
  },
  refunded: {
    taker: [
      ...TAKER_START,
      'TakerPaymentWaitForSpendFailed',
      'TakerPaymentWaitRefundStarted',
      'TakerPaymentRefundedByWatcher',
      'Finished',
    ],
    maker: [
      ...MAKER_START,
      'TakerPaymentSpendFailed',
      'MakerPaymentWaitRefundStarted',
      'MakerPaymentRefundStarted',
      'MakerPaymentRefunded',
      'MakerPaymentRefundFinished',
      'Finished',
    ],
  },
};

describe.each([
  ['DOC', 'MARTY'],
  ['LTC', 'KMD'],
  ['KMD', 'BTC'],
] as const)('logs of swaps on simulated chains of real bytes: %s for %s', (makerCoin, takerCoin) => {
  it.each(['claimed', 'watched', 'refunded'] as const)('%s: the audit finds nothing that is violated', (ending) => {
    const { terms, transactions, statuses } = simulatedSwap(ending, [makerCoin, takerCoin]);
    expect(new Set(statuses)).toEqual(new Set(['confirmed']));
    for (const role of ['taker', 'maker'] as const) {
      const path = PATHS[ending][role];
      const times = swapTimeline(role, path, terms);
      const events = path.map((type, seq) => ({
        timestamp: times[seq] ?? 0,
        event: storedEventBody(role, type, { terms, transactions }),
      }));
      const report = auditSwap(decodeSavedSwap({ ...savedSwapHeadOf(role, terms, { path, watchers: true }), events }));
      expect(report.checks.filter(({ status }) => status === 'violated')).toEqual([]);
      const verified = new Set(report.checks.filter(({ status }) => status === 'verified').map(({ check }) => check));
      for (const check of [
        'transaction-id',
        'payment-script',
        'payment-amount',
        'payment-hash-output',
        'dex-fee',
        'payer-key',
      ]) {
        expect(verified, check).toContain(check);
      }
      for (const check of ['spend-outpoint', 'spend-script', 'spend-value']) expect(verified, check).toContain(check);
      if (ending === 'refunded') expect(verified).toContain('refund-lock');
      else expect(verified).toContain('claim-secret');
      if (role === 'taker') expect(verified).toContain('watcher-spend-preimage');
    }
  });
});
