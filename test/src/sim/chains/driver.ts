import fc from 'fast-check';
import type { Answer, PaymentTerms, PreparedTransaction, PrepareRequest } from '../../../../src/ports/chain.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { hash160, sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { addSeconds } from '../../../../src/primitives/time.ts';
import type { MinedBlock, SimChainKind, SimWallet } from '../../../../src/sim/chains/types.ts';
import { type TestChain, testChain } from './support.ts';

/** One step of a made-up history: what is done, and three numbers that choose with whom and how. */
export type Step = {
  readonly act: (typeof ACTS)[number];
  readonly pick: number;
  readonly other: number;
  readonly size: number;
};

const ACTS = [
  'pay',
  'pay',
  'fee',
  'claim',
  'claim',
  'refund',
  'void',
  'send',
  'send',
  'mine',
  'mine',
  'wait',
  'reorg',
  'drop',
  'expire',
] as const;

export const steps = (maxLength: number): fc.Arbitrary<readonly Step[]> =>
  fc.array(fc.record({ act: fc.constantFrom(...ACTS), pick: fc.nat(1000), other: fc.nat(1000), size: fc.nat(1000) }), {
    maxLength,
    size: 'max',
  });

export const PARTIES = ['anna', 'bert', 'cleo'] as const;
const FUNDS = '2' as DecimalText;
export const FEE_SAT = 20_000n;

type Payment = {
  readonly terms: PaymentTerms;
  readonly payer: number;
  readonly payee: number;
  readonly secret: string;
  readonly funding: PreparedTransaction;
};

/** A simulated chain with all that was done to it. */
export type History = TestChain & {
  readonly wallets: readonly SimWallet[];
  readonly payments: Payment[];
  readonly prepared: { readonly by: number; readonly tx: PreparedTransaction }[];
  /** The best chain, from the first block that was mined. */
  readonly blocks: MinedBlock[];
};

export function newHistory(kind: SimChainKind, fidelity: 'compact' | 'real' = 'compact'): History {
  const world = testChain(kind, { fidelity });
  const wallets = PARTIES.map((party) => world.chain.wallet({ party, funds: FUNDS }));
  return { ...world, wallets, payments: [], prepared: [], blocks: [] };
}

function at<T>(items: readonly T[], index: number): T | undefined {
  return items[index % Math.max(1, items.length)];
}

/** Refusals are part of the game; only a broken rule throws. */
const DO: Readonly<Record<Step['act'], (history: History, step: Step) => void>> = {
  pay,
  fee: (history, { pick, size }) => {
    const request = { purpose: 'fee', feeSat: FEE_SAT, burnSat: 0n, urgency: size % 3, replaces: null } as const;
    prepare(history, pick % history.wallets.length, request);
  },
  claim: (history, step) => end(history, step, 'claim'),
  refund: (history, step) => end(history, step, 'refund'),
  void: (history, { other, size }) => {
    const target = at(history.prepared, other);
    if (target !== undefined) prepare(history, target.by, { purpose: 'void', target: target.tx, urgency: size % 3 });
  },
  send: ({ prepared, wallets }, { other }) => {
    const found = at(prepared, other);
    if (found !== undefined) wallets[found.by]?.broadcast(found.tx);
  },
  mine: ({ chain, clock, blocks }, { other, size }) => {
    clock.seconds += size;
    blocks.push(chain.mine({ include: other % 4 === 0 ? (hash) => hash.charCodeAt(0) % 2 === 0 : 'all' }));
  },
  wait: ({ clock }, { size }) => {
    clock.seconds += size * 10;
  },
  reorg,
  drop: ({ chain, prepared }, { other }) => {
    const found = at(prepared, other);
    if (found !== undefined) chain.drop(found.tx.tx_hash);
  },
  expire: ({ chain, clock }, { size }) => {
    chain.expire(addSeconds(clock.now(), -size));
  },
};

/** Does one step. */
export function doStep(history: History, step: Step): void {
  DO[step.act](history, step);
}

function pay(history: History, { pick, other, size }: Step): void {
  const { wallets, clock, payments } = history;
  const payer = pick % wallets.length;
  const payee = (payer + 1 + (other % (wallets.length - 1))) % wallets.length;
  const [from, to] = [wallets[payer], wallets[payee]];
  if (from === undefined || to === undefined) return;
  const secret = payments.length.toString(16).padStart(64, '0');
  const bytes = hexToBytes(secret);
  const { contract, secretHashBytes } = from.traits;
  const terms: PaymentTerms = {
    lock: addSeconds(clock.now(), 60 + size),
    secretHash: bytesToHex(secretHashBytes === 32 ? sha256(bytes) : hash160(bytes)),
    sender: from.htlcKey('swap'),
    receiver: to.htlcKey('swap'),
    amount: `0.${String(100 + size)}` as DecimalText,
    contract,
  };
  const answer = prepare(history, payer, { purpose: 'payment', terms, urgency: 0, replaces: null });
  if (answer?.ok) payments.push({ terms, payer, payee, secret, funding: answer.value });
}

function end(history: History, { pick, other, size }: Step, purpose: 'claim' | 'refund'): void {
  const { payments, prepared } = history;
  const payment = at(payments, other);
  if (payment === undefined) return;
  const { terms, funding, secret, payer, payee } = payment;
  const by = purpose === 'claim' ? payee : payer;
  const earlier = prepared.filter((one) => one.by === by).map(({ tx }) => tx);
  const replaces = pick % 2 === 0 ? (at(earlier, pick) ?? null) : null;
  const common = { terms, funding, urgency: size % 4, replaces };
  prepare(history, by, purpose === 'claim' ? { purpose, secret, ...common } : { purpose, ...common });
}

function prepare(history: History, by: number, request: PrepareRequest): Answer<PreparedTransaction> | undefined {
  const { wallets, prepared } = history;
  const answer = wallets[by]?.prepare(request);
  if (answer?.ok) {
    prepared.push({ by, tx: answer.value });
    wallets[by]?.broadcast(answer.value);
  }
  return answer;
}

function reorg({ chain, blocks, clock }: History, { pick, other, size }: Step): void {
  const depth = 1 + (pick % 4);
  if (depth > blocks.length) return;
  const gone = blocks.splice(blocks.length - depth);
  const drop = other % 3 === 0 ? gone.flatMap(({ transactions }) => transactions.slice(0, 1)) : [];
  clock.seconds += size % 100;
  const branch = Array.from({ length: depth + 1 }, (_, index) => ({
    include: (other + index) % 2 === 0 ? ('all' as const) : ('none' as const),
  }));
  blocks.push(...chain.reorg({ depth, drop, ...(other % 2 === 0 ? { blocks: branch } : {}) }));
}

/** The history after all steps. */
export function historyOf(kind: SimChainKind, list: readonly Step[]): History {
  const history = newHistory(kind);
  for (const step of list) doStep(history, step);
  return history;
}

/** All that the ledger says of the best chain, for comparison. */
export function bestChainOf({ chain, payments }: Pick<History, 'chain' | 'payments'>): unknown {
  const { ledger } = chain;
  const confirmed = ledger.transactions().filter(({ confirmations }) => confirmations > 0);
  return {
    height: chain.height(),
    clock: chain.clock(),
    balances: PARTIES.map((party) => [ledger.balance(party).confirmed, ledger.feesPaid(party)]),
    transactions: confirmed
      .map(({ hash, status, confirmations, fee }) => ({ hash, status, confirmations, fee }))
      .toSorted((left, right) => (left.hash < right.hash ? -1 : 1)),
    payments: payments.map(({ terms }) => {
      const { fundings, spend } = ledger.payment(terms);
      return {
        fundings: fundings.filter(({ confirmations }) => confirmations > 0),
        spend: spend !== null && spend.confirmations > 0 ? { ...spend, submittedBy: null } : null,
      };
    }),
  };
}
