import { randomBytes } from 'node:crypto';
import type {
  Answer,
  ChainTraits,
  PaymentSpend,
  PaymentTerms,
  PaymentView,
  PreparedTransaction,
  PrepareRequest,
  SignedTransaction,
} from '../../src/ports/chain.ts';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import type { UnixSeconds } from '../../src/primitives/time.ts';
import type { RuntimeChain } from '../../src/runtime/index.ts';

/**
 * The least that a chain can be: payments by their terms, a mempool, blocks. Nobody runs out of coins and no rule is
 * checked, so that it costs next to nothing beside the runtime under test.
 */
export type LedgerChain = {
  readonly wallet: (party: string) => RuntimeChain;
  readonly mine: () => void;
};

type Sent = { readonly tx: SignedTransaction; height: number | null };
type Payment = {
  funding: Sent | null;
  spend: { readonly how: 'secret' | 'refund'; readonly secret: string | null; readonly sent: Sent } | null;
};

const FEE = '0.0001' as DecimalText;

export function createLedgerChain({
  now,
  startHeight,
  ...known
}: Pick<ChainTraits, 'coin' | 'decimals' | 'minTxAmount' | 'finality'> & {
  /** Height of the tip at the start. */
  readonly startHeight: number;
  readonly now: () => UnixSeconds;
}): LedgerChain {
  const payments = new Map<string, Payment>();
  const prepared = new Map<string, PrepareRequest>();
  const sent = new Map<string, Sent>();
  const mempool: Sent[] = [];
  const listeners = new Set<() => void>();
  let height = startHeight;
  const traits: ChainTraits = {
    ...known,
    refund: 'transaction',
    watchers: false,
    contract: null,
    secretHashBytes: 20,
  };
  const depth = (of: Sent) => (of.height === null ? 0 : height - of.height + 1);
  const announce = (): void => {
    for (const listener of listeners) listener();
  };

  const view = (terms: PaymentTerms): PaymentView => {
    const payment = payments.get(keyOf(terms));
    const funding = payment?.funding ?? null;
    const spend = payment?.spend ?? null;
    return {
      funding: funding === null ? null : { tx: plain(funding.tx), confirmations: depth(funding) },
      problem: null,
      spend: spend === null ? null : spendOf(spend, depth(spend.sent)),
      refundable: now() > terms.lock,
      clock: now(),
      height,
    };
  };

  const prepare = (request: PrepareRequest): PreparedTransaction => {
    const tx_hash = randomBytes(32).toString('hex');
    prepared.set(tx_hash, request);
    return { tx_hash, tx_hex: randomBytes(300).toString('hex'), spends: [`${tx_hash}:in`], fee: FEE };
  };

  const broadcast = (tx: SignedTransaction): 'sent' | 'known' => {
    if (sent.has(tx.tx_hash)) return 'known';
    const entry: Sent = { tx, height: null };
    sent.set(tx.tx_hash, entry);
    mempool.push(entry);
    const request = prepared.get(tx.tx_hash);
    if (request?.purpose === 'payment') payments.set(keyOf(request.terms), { funding: entry, spend: null });
    if (request?.purpose === 'claim' || request?.purpose === 'refund') {
      const payment = payments.get(keyOf(request.terms));
      const secret = request.purpose === 'claim' ? request.secret : null;
      if (payment !== undefined) payment.spend ??= { how: secret === null ? 'refund' : 'secret', secret, sent: entry };
    }
    announce();
    return 'sent';
  };

  return {
    mine() {
      height += 1;
      for (const entry of mempool.splice(0)) entry.height = height;
      announce();
    },
    wallet: (party) => ({
      traits,
      htlcKey: () => `02${Buffer.from(party.padEnd(32, '.')).toString('hex')}`,
      quote: () =>
        good({
          height,
          clock: now(),
          spendable: '1000000' as DecimalText,
          paymentFee: FEE,
          spendFee: FEE,
          spendFeeFrom: 'claim',
          dexFeeFee: FEE,
        }),
      payment: ({ terms }) => good(view(terms)),
      transaction: (hash) => {
        const known = sent.get(hash);
        if (known === undefined) return good({ status: 'unknown', confirmations: 0 });
        return good({ status: known.height === null ? 'mempool' : 'confirmed', confirmations: depth(known) });
      },
      checkFee: () => good(null),
      prepare: (request) => good(prepare(request)),
      broadcast: (tx) => good(broadcast(tx)),
      subscribe: (onChange) => {
        listeners.add(onChange);
        return { close: () => listeners.delete(onChange) };
      },
      reserve: () => {},
      release: () => {},
    }),
  };
}

function good<T>(value: T): Answer<T> {
  return { ok: true, value };
}

function plain({ tx_hex, tx_hash }: SignedTransaction) {
  return { tx_hex, tx_hash };
}

function keyOf({ lock, secretHash, sender, receiver }: PaymentTerms): string {
  return `${lock} ${secretHash} ${sender} ${receiver}`;
}

function spendOf({ how, secret, sent }: NonNullable<Payment['spend']>, confirmations: number): PaymentSpend {
  return { how, tx: plain(sent.tx), confirmations, secret };
}
