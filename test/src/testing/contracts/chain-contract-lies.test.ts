import { describe, expect, it } from 'vitest';
import type {
  Answer,
  Hold,
  LockExpiry,
  PaymentFunding,
  PaymentSpend,
  PaymentView,
  PreparedTransaction,
  PrepareRequest,
  Quote,
  TransactionView,
} from '../../../../src/ports/chain.ts';
import { type DecimalText, fromBaseUnits, toBaseUnits } from '../../../../src/primitives/decimal.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';
import type { SimChainKind } from '../../../../src/sim/chains/types.ts';
import { type ChainFixture, chainContract } from '../../../../src/testing/contracts/chain-contract.ts';
import { oneIn } from '../../../support/draws.ts';
import { fixtureOf } from '../../sim/chains/support.ts';

// Every answer of an adapter, with one thing in it that is not so. The contract must notice each.

type Wallet = ChainFixture['sender'];
type Lie = (wallet: Wallet) => Partial<Wallet>;

const changed = async <T>(answer: Answer<T> | Promise<Answer<T>>, change: (value: T) => T): Promise<Answer<T>> => {
  const given = await answer;
  return given.ok ? { ok: true, value: change(given.value) } : given;
};
const view =
  (change: (value: PaymentView) => Partial<PaymentView>): Lie =>
  (wallet) => ({
    payment: (query) => changed(wallet.payment(query), (value) => ({ ...value, ...change(value) })),
  });
const funded = (change: (value: PaymentFunding) => Partial<PaymentFunding>): Lie =>
  view(({ funding }) => (funding === null ? {} : { funding: { ...funding, ...change(funding) } }));
const spent = (change: (value: PaymentSpend) => Partial<PaymentSpend>): Lie =>
  view(({ spend }) => (spend === null ? {} : { spend: { ...spend, ...change(spend) } }));
const quote =
  (change: (value: Quote) => Partial<Quote>): Lie =>
  (wallet) => ({ quote: () => changed(wallet.quote(), (value) => ({ ...value, ...change(value) })) });
const status =
  (change: (value: TransactionView) => Partial<TransactionView>): Lie =>
  (wallet) => ({
    transaction: (hash) => changed(wallet.transaction(hash), (value) => ({ ...value, ...change(value) })),
  });
const trait =
  (change: (traits: Wallet['traits']) => Partial<Wallet['traits']>): Lie =>
  ({ traits }) => ({ traits: { ...traits, ...change(traits) } });
const made =
  (change: (value: PreparedTransaction) => Partial<PreparedTransaction>): Lie =>
  (wallet) => ({
    prepare: (request, forSwap) =>
      changed(wallet.prepare(request, forSwap), (value) => ({ ...value, ...change(value) })),
  });
/** When a lock ends, told otherwise; of a chain that tells nothing there is nothing to lie about. */
const expiring = (change: (at: number, unit: LockExpiry['unit']) => Readonly<Record<string, unknown>>): Lie =>
  view(({ expiry }) =>
    expiry === undefined ? {} : { expiry: { ...expiry, ...change(expiry.at, expiry.unit) } as LockExpiry },
  );
const hour = (unit: LockExpiry['unit']) => (unit === 'seconds' ? 3600 : 60);
const asked =
  (change: (request: PrepareRequest) => PrepareRequest): Lie =>
  (wallet) => ({ prepare: (request, forSwap) => wallet.prepare(change(request), forSwap) });
const withBound = (request: PrepareRequest, change: (most: DecimalText) => DecimalText | null): PrepareRequest => {
  if (!('maxFee' in request) || request.maxFee === undefined) return request;
  const { maxFee, ...rest } = request;
  const most = change(maxFee);
  return (most === null ? rest : { ...rest, maxFee: most }) as PrepareRequest;
};
const refused =
  (change: (leastFee: DecimalText) => DecimalText): Lie =>
  (wallet) => ({
    async prepare(request, forSwap) {
      const answer = await wallet.prepare(request, forSwap);
      if (answer.ok || answer.fault.leastFee === undefined) return answer;
      return { ok: false, fault: { ...answer.fault, leastFee: change(answer.fault.leastFee) } };
    },
  });
const holding =
  (change: (hold: Hold) => Hold | null): Lie =>
  (wallet) => ({
    hold(hold) {
      const told = change(hold);
      if (told !== null) wallet.hold?.(told);
    },
  });
const times = (amount: DecimalText, factor: bigint, over = 1n): DecimalText =>
  fromBaseUnits((toBaseUnits(amount, 18) * factor) / over, 18).slice(0, 20) as DecimalText;
const cut = (amount: DecimalText, factor: bigint, over = 1n): DecimalText =>
  fromBaseUnits((toBaseUnits(amount, 8) * factor) / over, 8);

const LIES: Readonly<Record<string, Lie>> = {
  'a payment has a confirmation too many': funded(({ confirmations }) => ({ confirmations: confirmations + 1 })),
  'a waiting payment has a confirmation': funded(({ confirmations }) => ({
    confirmations: Math.max(1, confirmations),
  })),
  'a payment has a confirmation too few': funded(({ confirmations }) => ({
    confirmations: Math.max(0, confirmations - 1),
  })),
  'a payment never confirms': funded(() => ({ confirmations: 0 })),
  'a payment has another id': funded(({ tx }) => ({ tx: { ...tx, tx_hash: 'ab'.repeat(32) } })),
  'a payment has no bytes': funded(({ tx }) => ({ tx: { ...tx, tx_hex: '' } })),
  'a payment is not there': view(() => ({ funding: null })),
  'a payment has a problem': view(() => ({ problem: 'something' })),
  'a payment has no problem': view(() => ({ problem: null })),
  'what the other side names is judged instead of what is there': (wallet) => ({
    async payment(query) {
      const answer = await wallet.payment(query);
      const named = query.claimed;
      if (!answer.ok || named === undefined || answer.value.funding === null) return answer;
      return named === answer.value.funding.tx.tx_hex
        ? answer
        : { ok: true, value: { ...answer.value, problem: null } };
    },
  }),
  'a payment can be refunded': view(() => ({ refundable: true })),
  'a payment can never be refunded': view(() => ({ refundable: false })),
  'nobody spent a payment': view(() => ({ spend: null })),
  'the clock of a view stands still': view(() => ({ clock: 1_700_000_000 as UnixSeconds })),
  'the clock of a view is in milliseconds': view(({ clock }) => ({ clock: (clock * 1000) as UnixSeconds })),
  'the clock of a view is an hour ahead': view(({ clock }) => ({ clock: (clock + 3600) as UnixSeconds })),
  'the height of a view stands still': view(() => ({ height: 1000 })),
  'the height of a view is one too high': view(({ height }) => ({ height: height + 1 })),
  'the height of a view is one too low': view(({ height }) => ({ height: height - 1 })),
  'a claim is a refund': spent(({ how }) => ({ how: how === 'secret' ? 'refund' : how })),
  'a refund is a claim': spent(({ how }) => ({ how: how === 'refund' ? 'secret' : how })),
  'a claim has another secret': spent(({ secret }) => ({ secret: secret === null ? null : 'ee'.repeat(32) })),
  'a claim shows no secret': spent(() => ({ secret: null })),
  'a spend has a confirmation too many': spent(({ confirmations }) => ({ confirmations: confirmations + 1 })),
  'a spend never confirms': spent(() => ({ confirmations: 0 })),
  'a spend has another id': spent(({ tx }) => ({ tx: tx === null ? null : { ...tx, tx_hash: 'ab'.repeat(32) } })),
  'the height of a quote stands still': quote(() => ({ height: 1000 })),
  'the height of a quote is one too high': quote(({ height }) => ({ height: height + 1 })),
  'the height of a quote is far too low': quote(({ height }) => ({ height: height - 500 })),
  'the clock of a quote is an hour ahead': quote(({ clock }) => ({ clock: (clock + 3600) as UnixSeconds })),
  'twice as much can be spent': quote(({ spendable }) => ({ spendable: cut(spendable, 2n) })),
  'half as much can be spent': quote(({ spendable }) => ({ spendable: cut(spendable, 1n, 2n) })),
  'a payment costs nothing': quote(() => ({ paymentFee: '0' as DecimalText })),
  'a payment costs a tenth': quote(({ paymentFee }) => ({ paymentFee: times(paymentFee, 1n, 10n) })),
  'a payment costs a hundred times as much': quote(({ paymentFee }) => ({ paymentFee: cut(paymentFee, 100n) })),
  'a spend costs nothing': quote(() => ({ spendFee: '0' as DecimalText })),
  'a spend costs a hundred times as much': quote(({ spendFee }) => ({ spendFee: cut(spendFee, 100n) })),
  'the trading fee costs nothing to send': quote(() => ({ dexFeeFee: '0' as DecimalText })),
  'the trading fee costs a hundred times as much to send': quote(({ dexFeeFee }) => ({
    dexFeeFee: cut(dexFeeFee, 100n),
  })),
  'a claim is paid from elsewhere': quote(({ spendFeeFrom }) => ({
    spendFeeFrom: spendFeeFrom === 'claim' ? 'wallet' : 'claim',
  })),
  'a waiting transaction is confirmed': status((value) =>
    value.status === 'mempool' ? { status: 'confirmed', confirmations: 1 } : {},
  ),
  'a confirmed transaction waits': status((value) =>
    value.status === 'confirmed' ? { status: 'mempool', confirmations: 0 } : {},
  ),
  'a confirmed transaction is not known': status((value) =>
    value.status === 'confirmed' ? { status: 'unknown', confirmations: 0 } : {},
  ),
  'a transaction has a confirmation too many': status(({ status, confirmations }) =>
    status === 'confirmed' ? { confirmations: confirmations + 1 } : {},
  ),
  'what nobody sent is known': status((value) => (value.status === 'unknown' ? { status: 'mempool' } : {})),
  'what lost its inputs may still come': status((value) =>
    value.status === 'conflicted' ? { status: 'unknown', confirmations: 0 } : {},
  ),
  'the least amount is a hundred times as much': trait(({ minTxAmount }) => ({ minTxAmount: minTxAmount * 100n })),
  'the least amount is a thousandth': trait(({ minTxAmount }) => ({
    minTxAmount: minTxAmount / 1000n > 0n ? minTxAmount / 1000n : 1n,
  })),
  'a spend is final at once': trait(() => ({ finality: 1 })),
  'a spend is final after a thousand blocks': trait(() => ({ finality: 1000 })),
  'the chain refunds by other rules': trait(({ refund }) => ({
    refund: refund === 'automatic' ? 'transaction' : 'automatic',
  })),
  'watchers can do what they cannot': trait(({ watchers }) => ({ watchers: !watchers })),
  'a transaction is free': made(() => ({ fee: '0' as DecimalText })),
  'a transaction costs ten times as much': made(({ fee }) => ({ fee: cut(fee, 10n) })),
  'a transaction takes nothing': made(() => ({ spends: [] })),
  'a transaction has another id': made(() => ({ tx_hash: 'ab'.repeat(32) })),
  'every fee will do': () => ({ checkFee: () => ({ ok: true, value: null }) }),
  'no fee will do': () => ({ checkFee: () => ({ ok: true, value: 'no' }) }),
  'a repeated broadcast is new': (wallet) => ({
    broadcast: (transaction) => changed(wallet.broadcast(transaction) as Promise<Answer<never>>, () => 'sent' as never),
  }),
  'what was lost in a restart is kept for ever': () => ({ resumed: () => {} }),
  'a lock ends an hour early': expiring((at, unit) => ({ at: at - hour(unit) })),
  'a lock ends an hour late': expiring((at, unit) => ({ at: at + hour(unit) })),
  'a lock never ends': expiring(() => ({ at: 9_000_000_000 })),
  'a lock ends in the unit of other chains': expiring((_, unit) => ({
    unit: unit === 'blocks' ? 'seconds' : 'blocks',
  })),
  'the chain stands still at the start of a lock': expiring(() => ({ now: 1000 })),
  'blocks come ten times as slowly': trait(({ blockTime = 60 }) => ({ blockTime: blockTime * 10 })),
  'blocks come ten times as quickly': trait(({ blockTime = 60 }) => ({ blockTime: blockTime / 10 })),
  'blocks take no time': trait(() => ({ blockTime: 0 })),
  ...Object.fromEntries(
    (['fee', 'payment', 'claim', 'refund', 'void'] as const).map((purpose) => [
      `the fee of a ${purpose} has no bound`,
      asked((request) => (request.purpose === purpose ? withBound(request, () => null) : request)),
    ]),
  ),
  'the bound of a fee is ten times as high': asked((request) => withBound(request, (most) => cut(most, 10n))),
  'the least fee that would do is half of it': refused((leastFee) => cut(leastFee, 1n, 2n)),
  'the least fee that would do is a hundred times as much': refused((leastFee) => cut(leastFee, 100n)),
  'nothing is given back': () => ({ release: () => {} }),
  'of several that are given back only the first is': (wallet) => ({
    release: (transactions) => wallet.release(transactions.slice(0, 1)),
  }),
  'what is given back gives all others back': (wallet) => {
    const all: PreparedTransaction[] = [];
    return {
      prepare: async (request, forSwap) => {
        const answer = await wallet.prepare(request, forSwap);
        if (answer.ok) all.push(answer.value);
        return answer;
      },
      release: () => wallet.release(all),
    };
  },
  'nothing is held': holding(() => null),
  'half of it is held': holding(({ swap, amount }) => ({ swap, amount: cut(amount, 1n, 2n) })),
  'what is held is for all swaps': holding(({ amount }) => ({ swap: 'all', amount })),
  'what is held is never given up': holding((hold) => (hold.amount === '0' ? null : hold)),
  'what pays too little beside what waits is settled': (wallet) => ({
    async broadcast(transaction) {
      const answer = await wallet.broadcast(transaction);
      const dear = !answer.ok && answer.fault.kind === 'feeTooLow';
      return dear ? { ok: false, fault: { kind: 'inputsSpent', message: 'taken' } } : answer;
    },
  }),
  'a coin more can be spent': quote(({ spendable }) => ({
    spendable: fromBaseUnits(toBaseUnits(spendable, 8) + 10n ** 8n, 8),
  })),
  'what can be spent is below zero': quote(() => ({ spendable: '-1' as DecimalText })),
  'what can be spent is a number': quote(() => ({ spendable: 12.5 as never })),
  'the height is half a block': quote(({ height }) => ({ height: height + 0.5 })),
  'a payment without a funding has none at all': view(({ funding }) => ({ funding: funding ?? (undefined as never) })),
  'a payment of half a coin is a fee': (wallet) => ({
    async checkFee(check, forSwap) {
      const answer = await wallet.checkFee(check, forSwap);
      const half = check.feeSat === toBaseUnits('0.5' as DecimalText, wallet.traits.decimals);
      return half ? { ok: true, value: null } : answer;
    },
  }),
  'confirmations end one after finality': (wallet) =>
    funded(({ confirmations }) => ({ confirmations: Math.min(confirmations, wallet.traits.finality + 1) }))(wallet),
  'a search begins behind its first block': (wallet) => ({
    async payment(query) {
      const answer = await wallet.payment(query);
      if (!answer.ok || query.from === undefined || answer.value.funding === null) return answer;
      const { confirmations } = answer.value.funding;
      const before = confirmations > 0 && answer.value.height - confirmations + 1 <= query.from;
      return before ? { ok: true, value: { ...answer.value, funding: null } } : answer;
    },
  }),
  'a refund is possible ten minutes early': (wallet) => ({
    payment: (query) =>
      changed(wallet.payment(query), (value) => ({ ...value, refundable: value.clock > query.terms.lock - 600 })),
  }),
  'a fault has no kind that there is': (wallet) => ({
    async broadcast(transaction) {
      const answer = await wallet.broadcast(transaction);
      return answer.ok ? answer : { ok: false, fault: { kind: 'refused' as never, message: '' } };
    },
  }),
  'nothing is heard': () => ({ subscribe: () => ({ close: () => {} }) }),
};

async function failures(kind: SimChainKind, lie: Lie): Promise<readonly string[]> {
  const cases = chainContract(() => {
    const fixture = fixtureOf(kind, 'compact');
    const lying = (wallet: Wallet): Wallet => ({ ...wallet, ...lie(wallet) });
    const { sender, receiver, watcher, restartedSender } = fixture;
    return {
      ...fixture,
      finality: sender.traits.finality,
      ...(sender.traits.blockTime === undefined ? {} : { blockTime: sender.traits.blockTime }),
      sender: lying(sender),
      receiver: lying(receiver),
      watcher: lying(watcher),
      restartedSender: async () => lying(await restartedSender()),
    };
  });
  const failed: string[] = [];
  for (const { title, run } of cases) await run().catch(() => void failed.push(title));
  return failed;
}

/**
 * No lies there: what an account chain can send is as little as its coin can be told in; a chain that refunds by itself is final at
 * once, asks no fee for it, cannot be asked for one, replaces nothing, and names a payment by its amount too.
 */
const SO: Readonly<Record<SimChainKind, readonly string[]>> = {
  utxo: [],
  account: ['the least amount is a thousandth'],
  autoRefund: [
    'the least amount is a thousandth',
    'a spend is final at once',
    'the fee of a refund has no bound',
    'what pays too little beside what waits is settled',
    'a refund is possible ten minutes early',
    'what the other side names is judged instead of what is there',
  ],
};

describe.each(['utxo', 'account', 'autoRefund'] as const)(
  'an adapter of a chain of kind %s that makes a false statement',
  (kind) => {
    it.each(
      oneIn(
        12,
        Object.entries(LIES).filter(([name]) => !SO[kind].includes(name)),
      ),
    )('is found out: %s', async (_, lie) => {
      expect((await failures(kind, lie)).length).toBeGreaterThan(0);
    });
  },
);
