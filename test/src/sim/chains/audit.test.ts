import { describe, expect, it } from 'vitest';
import type { Role } from '../../../../src/events/catalog.ts';
import { decodeSavedSwap } from '../../../../src/events/saved-swap.ts';
import { dexFee } from '../../../../src/htlc/dex-fee.ts';
import type { Answer, PaymentTerms, PreparedTransaction } from '../../../../src/ports/chain.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';
import { auditSwap } from '../../../../src/replay/audit/audit-swap.ts';
import { createUtxoChain } from '../../../../src/sim/chains/utxo/chain.ts';
import { xorshift32 } from '../../../../src/sim/xorshift.ts';
import { savedSwapHeadOf } from '../../../../src/testing/logs/swap-head.ts';
import { storedEventBody } from '../../../../src/testing/logs/swap-payloads.ts';
import { type SwapTerms, swapTerms } from '../../../../src/testing/logs/swap-terms.ts';
import { swapTimeline } from '../../../../src/testing/logs/swap-timeline.ts';
import type { BuiltTransaction, SwapTransactions } from '../../../../src/testing/logs/swap-transactions.ts';

type Ending = 'claimed' | 'watched' | 'refunded';

function got<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value;
  throw new Error(`${answer.fault.kind}: ${answer.fault.message}`);
}

const FIRST = { urgency: 0, replaces: null } as const;

/** Both chains with the wallets of both parties and a watcher, and the terms with the keys of those wallets. */
function stage(seed: string, [makerCoin, takerCoin]: readonly [string, string]) {
  const base = swapTerms({ seed, makerCoin, takerCoin });
  const time = { now: base.takerStartedAt as number };
  const chains = [makerCoin, takerCoin].map((coin) =>
    createUtxoChain({ coin, fidelity: 'real', now: () => time.now as UnixSeconds, rng: xorshift32(1) }),
  );
  const wallet = (index: number, party: string) =>
    chains[index]?.wallet({ party, funds: '10' as DecimalText }) ?? expect.fail('two chains');
  const walletsOf = (party: string) => [wallet(0, party), wallet(1, party)] as const;
  const [maker, taker, watcher] = [walletsOf('maker'), walletsOf('taker'), walletsOf('watcher')];
  const keysOf = ([first, second]: typeof maker) => ({
    persistent: hexToBytes(second.htlcKey('swap')),
    makerCoin: hexToBytes(first.htlcKey('swap')),
    takerCoin: hexToBytes(second.htlcKey('swap')),
  });
  const terms: SwapTerms = { ...base, maker: keysOf(maker), taker: keysOf(taker) };
  const mine = (blocks: number) => {
    for (let left = blocks; left > 0; left--) {
      time.now += 60;
      for (const chain of chains) chain.mine();
    }
  };
  return { chains, maker, taker, watcher, terms, mine };
}

type Stage = ReturnType<typeof stage>;

function paymentTerms({ terms, maker, taker }: Stage): Readonly<Record<Role, PaymentTerms>> {
  const shared = { secretHash: bytesToHex(terms.secretHash), contract: null };
  const keys = [maker[0], taker[0], taker[1], maker[1]].map((wallet) => wallet.htlcKey('swap'));
  const [makerSends = '', takerGets = '', takerSends = '', makerGets = ''] = keys;
  return {
    maker: { ...shared, lock: terms.makerLock, sender: makerSends, receiver: takerGets, amount: terms.makerAmount },
    taker: { ...shared, lock: terms.takerLock, sender: takerSends, receiver: makerGets, amount: terms.takerAmount },
  };
}

/** The fee, both payments and what the taker signs in advance, all of them confirmed. */
function payAll(world: Stage) {
  const { maker, taker, mine, terms } = world;
  const both = paymentTerms(world);
  const { takerCoin, makerCoin, takerAmount } = terms;
  const { feeSat, burnSat } = dexFee({ takerCoin, makerCoin, takerAmount });
  const fee = got(taker[1].prepare({ purpose: 'fee', feeSat, burnSat, ...FIRST }));
  got(taker[1].broadcast(fee));
  const makerPayment = got(maker[0].prepare({ purpose: 'payment', terms: both.maker, ...FIRST }));
  got(maker[0].broadcast(makerPayment));
  mine(3);
  const takerPayment = got(taker[1].prepare({ purpose: 'payment', terms: both.taker, ...FIRST }));
  got(taker[1].broadcast(takerPayment));
  const ofMaker = { terms: both.maker, funding: makerPayment };
  const ofTaker = { terms: both.taker, funding: takerPayment };
  const claimPreimage = got(taker[0].prepare({ purpose: 'claimPreimage', ...ofMaker }));
  const refundPreimage = got(taker[1].prepare({ purpose: 'refundPreimage', ...ofTaker }));
  mine(3);
  return { fee, makerPayment, takerPayment, ofMaker, ofTaker, claimPreimage, refundPreimage };
}

type Ends = Partial<Record<'takerPaymentSpend' | 'makerPaymentSpend' | 'makerPaymentRefund', PreparedTransaction>>;

function finish(world: Stage, paid: ReturnType<typeof payAll>, ending: Ending): Ends {
  const { chains, maker, taker, watcher, terms, mine } = world;
  const secret = bytesToHex(terms.secret);
  if (ending === 'refunded') {
    while (Math.min(...chains.map((chain) => chain.clock())) <= terms.makerLock) mine(20);
    const makerPaymentRefund = got(maker[0].prepare({ purpose: 'refund', ...paid.ofMaker, ...FIRST }));
    got(watcher[1].broadcast(paid.refundPreimage));
    got(maker[0].broadcast(makerPaymentRefund));
    return { makerPaymentRefund };
  }
  const takerPaymentSpend = got(maker[1].prepare({ purpose: 'claim', secret, ...paid.ofTaker, ...FIRST }));
  got(maker[1].broadcast(takerPaymentSpend));
  const preimage = paid.claimPreimage.tx_hex;
  const makerPaymentSpend =
    ending === 'watched'
      ? got(watcher[0].prepare({ purpose: 'completePreimage', preimage, secret }))
      : got(taker[0].prepare({ purpose: 'claim', secret, ...paid.ofMaker, ...FIRST }));
  got((ending === 'watched' ? watcher : taker)[0].broadcast(makerPaymentSpend));
  return { takerPaymentSpend, makerPaymentSpend };
}

function built(tx: PreparedTransaction | undefined): () => BuiltTransaction {
  return () => {
    if (tx === undefined) throw new Error('this transaction was not made');
    return { bytes: hexToBytes(tx.tx_hex), tx_hex: tx.tx_hex, tx_hash: tx.tx_hash };
  };
}

/** A swap that two parties and a watcher made on two simulated chains of real bytes. */
function simulatedSwap(ending: Ending, coins: readonly [string, string]) {
  const world = stage(ending, coins);
  const paid = payAll(world);
  const ends = finish(world, paid, ending);
  world.mine(3);
  const transactions: SwapTransactions = {
    takerFee: built(paid.fee),
    makerPayment: built(paid.makerPayment),
    takerPayment: built(paid.takerPayment),
    takerPaymentSpend: built(ends.takerPaymentSpend),
    makerPaymentSpend: built(ends.makerPaymentSpend),
    makerPaymentSpendPreimage: built(paid.claimPreimage),
    takerPaymentRefund: built(paid.refundPreimage),
    makerPaymentRefund: built(ends.makerPaymentRefund),
  };
  for (const chain of world.chains) expect(chain.ledger.imbalance()).toBeNull();
  const statuses = world.chains.flatMap((chain) => chain.ledger.transactions().map(({ status }) => status));
  return { terms: world.terms, transactions, statuses };
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
  it.each(['claimed', 'watched', 'refunded'] as const)('%s: the audit finds no violation', (ending) => {
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
