import { parseHtlcInput } from '../../htlc/htlc-input.ts';
import { KDF_NETWORK, type NetworkProfile } from '../../htlc/network-profile.ts';
import { paymentScript } from '../../htlc/payment.ts';
import type {
  Answer,
  Chain,
  ChainFault,
  ChainFeed,
  ChainTraits,
  FaultKind,
  PaymentView,
  PrepareRequest,
  Quote,
  Sending,
  SignedTransaction,
  TransactionView,
} from '../../ports/chain.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Balances } from '../../ports/coin-wallet.ts';
import type { WalletSigner } from '../../ports/signer.ts';
import { type DecimalText, toBaseUnits } from '../../primitives/decimal.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { type Height, heightOf, type Seconds } from '../../primitives/time.ts';
import { fault, ok, unanswered } from './answers.ts';
import { feeAt, feeLater, rateAt, type UtxoCoin } from './coin.ts';
import { checkFee } from './fee-check.ts';
import { watchForNews } from './feed.ts';
import { type Made, madeOf } from './made.ts';
import { type MergeTerms, merge } from './merge.ts';
import { coinsText, type Parts } from './parts.ts';
import { paymentOf } from './payment-view.ts';
import { dayRate, prepare } from './prepare.ts';
import { Purse } from './purse.ts';
import { BackendSilent, type ChainIndex, type Reader, type Tip } from './reader.ts';
import { isKnownAlready, refusalKind } from './refusals.ts';
import { sizeWith } from './sign-coins.ts';
import { isLockTooOld } from './spend.ts';
import { inTheWay, keepForAWhile, type Withdrawal, type Withdrawn, withdraw } from './withdraw.ts';

export type UtxoChainOptions = {
  readonly coin: UtxoCoin;
  readonly reader: Reader;
  readonly signer: WalletSigner;
  readonly clock: Clock;
  /** Height before which nothing of this wallet's swaps is; a function where it may fall while the adapter is in use. */
  readonly birth: number | (() => number);
  /** @defaultValue the network of KDF */
  readonly network?: NetworkProfile;
  /** Between two looks for news. */
  readonly poll: Seconds;
  /** Whether the feed says that it is complete, and says something at every look. @defaultValue false */
  readonly completeFeed?: boolean;
};

/** A wallet of one key on a chain of outputs, behind the chain port. */
export type UtxoChain = Chain &
  ChainFeed & {
    balances(): Promise<Answer<Balances>>;
    /** Makes and signs what leaves the wallet for an address. Nothing is sent. */
    withdraw(withdrawal: Withdrawal): Promise<Answer<Withdrawn>>;
    /** Makes the smallest coins one and sends it; how many there were, 0 where there is no need. */
    merge(terms: MergeTerms): Promise<Answer<number>>;
    /** Sends what somebody signed, unless another transaction that was signed here takes the same coins: fault `coinsPromised`. */
    send(transaction: SignedTransaction): Promise<Answer<'sent' | 'known' | 'confirmed'>>;
  };

/** Looks that a complete feed may miss before it counts as broken. */
const MISSED_LOOKS = 3;

/** A wallet on a chain of outputs. Nothing is asked of the backend before the first question. */
export function createUtxoChain(options: UtxoChainOptions): UtxoChain {
  const { coin, reader, signer, clock, birth, network = KDF_NETWORK, poll, completeFeed = false } = options;
  const purse = new Purse({ index: reader.index, signer: signer.coins, coin });
  const parts: Parts = {
    ...{ coin, reader, purse, signer, network, clock },
    get birth() {
      return typeof birth === 'function' ? birth() : birth;
    },
  };
  const { sync, height } = remembering(reader);
  const { asked, settled } = questionsTo(reader, sync);
  /** The wallet knows all of its coins, or says that it does not. */
  const withCoins = <T>(
    question: (tip: Tip) => Answer<T> | Promise<Answer<T>>,
    by: Ask = settled,
  ): Promise<Answer<T>> =>
    by(async (tip) => {
      for (const script of purse.scripts) {
        if (!(await reader.follow(script, parts.birth)))
          return fault('unknown', 'the wallet’s history is still being read');
      }
      return question(tip);
    });
  const inTurn = queue();
  const each = (action: (made: Made) => void) => (transactions: readonly SignedTransaction[]) => {
    for (const { tx_hex } of transactions) {
      const made = madeOf(tx_hex);
      if (made !== null) action(made);
    }
  };
  return {
    traits: traitsOf(coin, completeFeed ? { heartbeat: MISSED_LOOKS * poll } : undefined),
    htlcKey: (swap) => bytesToHex(signer.ofSwap(swap).key),
    quote: () => withCoins((tip) => quoteOf(parts, tip)),
    payment: (query) => settled((tip) => paymentOf(parts, { query, tip }), carried),
    transaction: (hash) => settled(() => transactionOf(parts, hash)),
    checkFee: (check, forSwap) => settled(() => checkFee(parts, { check, ...forSwap })),
    balances: () =>
      withCoins(() => {
        const { spendable, unspendable } = purse.balances();
        return ok({ spendable: coinsText(parts, spendable), unspendable: coinsText(parts, unspendable) });
      }, asked),
    prepare: (request, { swap }) =>
      inTurn(() =>
        withCoins(
          ({ clock }) => prepare(parts, { request, swap, clock }),
          mayBeDoubtful(coin, request) ? asked : settled,
        ),
      ),
    broadcast: (transaction, sending) => asked((tip) => broadcast(parts, transaction, { ...tip, ...sending })),
    withdraw: (withdrawal) => inTurn(() => withCoins(() => withdraw(parts, withdrawal))),
    merge: (terms) => inTurn(() => withCoins((tip) => mergeAndSend(parts, terms, tip))),
    send: (transaction) => inTurn(() => asked((tip) => send(parts, transaction, tip))),
    subscribe: (onChange) => watchForNews({ reader, clock, poll, complete: completeFeed }, onChange),
    ...{ reserve: each((made) => purse.take(made)), release: each((made) => purse.giveBack(made)), height },
    hold: ({ swap, amount }) => void purse.held.set(swap, toBaseUnits(amount, coin.decimals)),
  };
}

/** What too few servers say of a payment comes with the fault. */
function carried(doubtful: PaymentView): Partial<ChainFault> {
  return { doubtful };
}

type Ask = <T>(question: (tip: Tip) => Answer<T> | Promise<Answer<T>>) => Promise<Answer<T>>;
/** `doubted`: what the fault carries of an answer that too few servers gave. @defaultValue nothing */
type AskSettled = <T>(
  question: (tip: Tip) => Answer<T> | Promise<Answer<T>>,
  doubted?: (value: T) => Partial<ChainFault>,
) => Promise<Answer<T>>;

function questionsTo(reader: Reader, sync: Reader['sync']): { readonly asked: Ask; readonly settled: AskSettled } {
  const asked: Ask = (question) => sync().then(question).catch(unanswered);
  return {
    asked,
    /** What money depends on: too few servers are the fault that nobody answers. */
    async settled(question, doubted = () => ({})) {
      const before = reader.looks?.() ?? 0;
      const answer = await asked(question);
      const doubt = reader.doubt?.(before) ?? null;
      if (doubt === null || !answer.ok) return answer;
      return { ok: false, fault: { kind: 'unavailable', message: doubt, ...doubted(answer.value) } };
    },
  };
}

/**
 * Whether a transaction is made on the word of too few servers. The lock time of a refund that follows the chain's clock is not: by a clock that a
 * liar has set on, no node would take it for as long.
 */
function mayBeDoubtful({ oldestLock }: UtxoCoin, request: PrepareRequest): boolean {
  if (request.purpose !== 'claim' && request.purpose !== 'refund') return false;
  return request.doubtful === true && (request.purpose === 'claim' || oldestLock === undefined);
}

/** Remembers where the chain stood at the last look. */
function remembering(reader: Reader): Pick<Reader, 'sync'> & { readonly height: () => Height | null } {
  let height: Height | null = null;
  const note = (tip: Tip): Tip => {
    height = heightOf(tip.height);
    return tip;
  };
  return { sync: () => reader.sync().then(note), height: () => height };
}

/** Runs one after another, whatever becomes of each. */
function queue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

function traitsOf(coin: UtxoCoin, feed: ChainTraits['feed']): ChainTraits {
  return {
    coin: coin.coin,
    decimals: coin.decimals,
    minTxAmount: coin.dust,
    refund: 'transaction',
    watchers: true,
    finality: coin.finality,
    contract: null,
    scheme: coin.scheme,
    secretHashBytes: 20,
    blockTime: coin.blockTime,
    children: true,
    ...(feed === undefined ? {} : { feed }),
  };
}

/** Enough for two coins, and for a claim under any scheme. */
const USUAL_INPUTS = 2;
const LARGEST_SPEND = 330;
const LARGEST_OUTPUT = { value: 0n, script: new Uint8Array(34) };

async function quoteOf(parts: Parts, { height, clock }: Tip): Promise<Answer<Quote>> {
  const { purse, coin } = parts;
  const rate = rateAt(coin.fees, { rate: await dayRate(parts), urgency: 0 });
  const told = (size: number): DecimalText => coinsText(parts, feeLater(coin.fees, feeAt(rate, size)));
  const cost = told(sizeWith(USUAL_INPUTS, [LARGEST_OUTPUT, LARGEST_OUTPUT, LARGEST_OUTPUT], coin));
  return ok({
    height,
    clock,
    spendable: coinsText(parts, purse.spendable()),
    coming: coinsText(parts, purse.coming()),
    paymentFee: cost,
    spendFee: told(LARGEST_SPEND),
    spendFeeFrom: 'claim',
    dexFeeFee: cost,
  });
}

async function transactionOf({ reader, purse, birth, coin }: Parts, hash: string): Promise<Answer<TransactionView>> {
  const { index } = reader;
  const view = (): TransactionView | null => {
    const seen = index.get(hash);
    if (seen === undefined) return null;
    const confirmations = index.depth(seen);
    return { status: confirmations === 0 ? 'mempool' : 'confirmed', confirmations, tx_hex: seen.hex };
  };
  let isWhole = await reader.find(hash, birth);
  const found = view();
  if (found !== null) return ok(found);
  const made = purse.prepared.get(hash);
  // What takes its place is seen by the scripts of what it takes.
  for (const script of made === undefined ? [] : [...purse.scripts, ...takenScripts(made, coin)]) {
    isWhole = (await reader.follow(script, birth)) && isWhole;
  }
  const confirmations = made === undefined ? 0 : purse.conflictDepth(made);
  const late = view();
  if (late !== null) return ok(late);
  if (confirmations > 0) return ok({ status: 'conflicted', confirmations });
  if (!isWhole) return fault('unknown', 'the blocks in which it may be are still being read');
  return ok({ status: 'unknown', confirmations: 0 });
}

/** Scripts of the payments that a transaction takes, in hex. */
function takenScripts({ tx }: Made, { scheme }: UtxoCoin): readonly string[] {
  return tx.inputs.flatMap((input) => {
    const terms = parseHtlcInput(input)?.terms;
    return terms === undefined ? [] : [bytesToHex(paymentScript({ terms, scheme }))];
  });
}

/** A height from which on there is no block: what is at hand will do. */
const NOTHING_OLDER = Number.MAX_SAFE_INTEGER;

async function broadcast(
  { reader, coin }: Parts,
  { tx_hex, tx_hash }: SignedTransaction,
  { clock, doubtful }: Pick<Tip, 'clock'> & Sending,
): Promise<Answer<'sent' | 'known' | 'confirmed'>> {
  const made = madeOf(tx_hex);
  if (made === null || made.txid !== tx_hash) return fault('invalid', `the bytes are not those of ${tx_hash}`);
  await reader.find(tx_hash, NOTHING_OLDER).catch((error: unknown) => {
    // Too few say that it is nowhere. To send what is there already does no harm.
    if (doubtful !== true || !(error instanceof BackendSilent)) throw error;
  });
  const seen = reader.index.get(tx_hash);
  if (seen !== undefined) return ok(seen.height === null ? 'known' : 'confirmed');
  const refusal = await reader.send(tx_hex);
  if (refusal === null) return ok('sent');
  const known = isKnownAlready(refusal);
  if (known !== null) return ok(known);
  // Komodo's node gives no reason. Another one with a later lock time goes through, and this one never will.
  if (isLockTooOld(coin, made, clock)) return fault('invalid', `its lock time ${made.tx.lockTime} is too old`);
  return fault(refusalKind(refusal) ?? inputsFault(reader.index, made), refusal.message);
}

async function send(
  parts: Parts,
  transaction: SignedTransaction,
  tip: Tip,
): Promise<Answer<'sent' | 'known' | 'confirmed'>> {
  const other = inTheWay(parts, transaction.tx_hex);
  if (other !== null) return fault('coinsPromised', `${other} takes the same coins`);
  const { purse } = parts;
  const made = madeOf(transaction.tx_hex);
  const wasTaken = made === null || purse.prepared.has(made.txid);
  if (made !== null) purse.take(made);
  const answer = await broadcast(parts, transaction, tip);
  // What nobody answered may be on its way.
  if (!answer.ok && answer.fault.kind !== 'unavailable' && made !== null && !wasTaken) purse.giveBack(made);
  return answer;
}

async function mergeAndSend(parts: Parts, terms: MergeTerms, tip: Tip): Promise<Answer<number>> {
  const merged = await merge(parts, terms);
  if (!merged.ok) return merged;
  if (merged.value === null) return ok(0);
  const { made, coins } = merged.value;
  const answer = await send(parts, { tx_hex: made.hex, tx_hash: made.txid }, tip);
  keepForAWhile(parts, made);
  return answer.ok ? ok(coins) : answer;
}

/** Why a node that does not say refuses a transaction, as far as its inputs tell. */
function inputsFault(index: ChainIndex, { tx }: Made): FaultKind {
  const takers = tx.inputs.flatMap(({ txid, vout }) => index.takers(txid, vout));
  if (takers.some(({ height }) => height !== null)) return 'inputsSpent';
  return takers.length > 0 ? 'noReplacement' : 'parentsUnknown';
}
