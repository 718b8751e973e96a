import { KDF_NETWORK, type NetworkProfile } from '../../htlc/network-profile.ts';
import type {
  Answer,
  Chain,
  ChainFault,
  ChainFeed,
  ChainTraits,
  PaymentView,
  PrepareRequest,
  Quote,
  SignedTransaction,
} from '../../ports/chain.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Balances } from '../../ports/coin-wallet.ts';
import type { WalletSigner } from '../../ports/signer.ts';
import { type DecimalText, toBaseUnits } from '../../primitives/decimal.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import type { Seconds } from '../../primitives/time.ts';
import { ok } from './answers.ts';
import { feeAt, feeLater, rateAt, type UtxoCoin } from './coin.ts';
import { checkFee } from './fee-check.ts';
import { watchForNews } from './feed.ts';
import { type Made, madeOf } from './made.ts';
import { type MergeTerms, merge } from './merge.ts';
import { coinsText, type Parts } from './parts.ts';
import { paymentOf } from './payment-view.ts';
import { dayRate, prepare } from './prepare.ts';
import { Purse } from './purse.ts';
import { knowingCoins, questionsTo, remembering } from './questions.ts';
import type { Tip, UtxoReader } from './reader.ts';
import { Reservations } from './reservations.ts';
import { broadcast, send } from './sending.ts';
import { sizeWith } from './sign-coins.ts';
import { transactionOf } from './standing.ts';
import { keepForAWhile, type UtxoWithdrawal, type UtxoWithdrawn, withdraw } from './withdraw.ts';

export type UtxoChainOptions = {
  readonly coin: UtxoCoin;
  readonly reader: UtxoReader;
  readonly signer: WalletSigner;
  readonly clock: Clock;
  /** Height below which there is nothing of this wallet's swaps; a function if it may fall while the adapter is in use. */
  readonly birth: number | (() => number);
  /** @defaultValue the network of KDF */
  readonly network?: NetworkProfile;
  /** Between two looks for news. */
  readonly poll: Seconds;
  /** Whether the feed says that it is complete, and reports at every look. @defaultValue false */
  readonly completeFeed?: boolean;
  /** Shared with tokens of the chain that take coins of the same key. @defaultValue none do */
  readonly reservations?: Reservations;
};

/** A wallet of one key on a UTXO chain, behind the chain port. */
export type UtxoChain = Chain &
  ChainFeed & {
    balances(): Promise<Answer<Balances>>;
    /** Makes and signs a withdrawal to an address. Sends nothing. */
    withdraw(withdrawal: UtxoWithdrawal): Promise<Answer<UtxoWithdrawn>>;
    /** Merges the smallest coins into one and sends that; returns how many there were, 0 if there is no need. */
    merge(terms: MergeTerms): Promise<Answer<number>>;
    /** Sends a signed transaction, unless another that was signed here takes the same coins: fault `coinsPromised`. */
    send(transaction: SignedTransaction): Promise<Answer<'sent' | 'known' | 'confirmed'>>;
  };

/** How many looks a complete feed may miss before it counts as broken. */
const MISSED_LOOKS = 3;

/**
 * A wallet on a UTXO chain. It asks the backend nothing before the first question.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import {
 *   createDaemonReader, createUtxoChain, type DaemonClient, readUtxoEntry,
 * } from 'swapfold/chains/utxo';
 * import { walletOfPassphrase } from 'swapfold/node';
 * import { systemClock } from 'swapfold/runtime';
 *
 * const { coin } = readUtxoEntry({ coin: 'LTC', dust: 5460 }, { finality: 6, scheme: 'p2sh' });
 * const client: DaemonClient = { batch: async () => [] }; // In place of connectDaemon.
 * const reader = createDaemonReader({ client, birth: 0, decimals: 8, medianBlocks: 11 });
 * const signer = walletOfPassphrase(new Secret('an example'));
 * const ltc = createUtxoChain({ coin, reader, signer, clock: systemClock(), birth: 0, poll: 10 });
 * [ltc.traits.finality, ltc.traits.minTxAmount]; // → [6, 5460n]
 * const quote = await ltc.quote();
 * quote.ok ? null : quote.fault.kind; // → 'unavailable'
 * ```
 */
export function createUtxoChain(options: UtxoChainOptions): UtxoChain {
  const { coin, reader, signer, clock, birth, network = KDF_NETWORK, poll, completeFeed = false } = options;
  const { reservations = new Reservations() } = options;
  const { inTurn } = reservations;
  const purse = new Purse({ index: reader.index, signer: signer.coins, coin, reservations });
  const parts: Parts = {
    ...{ coin, reader, purse, signer, network, clock },
    get birth() {
      return typeof birth === 'function' ? birth() : birth;
    },
  };
  const { sync, height } = remembering(reader);
  const { asked, settled } = questionsTo(reader, sync);
  const withCoins = knowingCoins(parts, settled);
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
    prepare: (request, { swap }) => {
      const by = mayBeDoubtful(coin, request) ? asked : settled;
      const made = ({ clock }: Tip) => prepare(parts, { request, swap, clock });
      return inTurn(() => (takesOwnCoins(request) ? withCoins(made, by) : by(made)));
    },
    broadcast: (transaction, sending) => asked((tip) => broadcast(parts, transaction, { ...tip, ...sending })),
    withdraw: (withdrawal) => inTurn(() => withCoins(() => withdraw(parts, withdrawal))),
    merge: (terms) => inTurn(() => withCoins((tip) => mergeAndSend(parts, terms, tip))),
    send: (transaction) => inTurn(() => asked((tip) => send(parts, transaction, tip))),
    subscribe: (onChange) => watchForNews({ reader, clock, poll, complete: completeFeed }, onChange),
    ...{ reserve: each((made) => purse.take(made)), release: each((made) => purse.giveBack(made)), height },
    hold: ({ swap, amount }) => void purse.held.set(swap, toBaseUnits(amount, coin.decimals)),
  };
}

/** The fault carries what too few servers say about a payment. */
function carried(doubtful: PaymentView): Partial<ChainFault> {
  return { doubtful };
}

/**
 * Whether to make a transaction on the word of too few servers. Not a refund whose lock time follows the chain's clock: by a clock that a lying
 * server has set ahead, no node would accept it for that long.
 */
function mayBeDoubtful({ oldestLock }: UtxoCoin, request: PrepareRequest): boolean {
  if (request.purpose !== 'claim' && request.purpose !== 'refund') return false;
  return request.doubtful === true && (request.purpose === 'claim' || oldestLock === undefined);
}

/** Whether it needs to know them. What spends a payment takes nothing else, and must not wait for a history that anyone can make too long to be told. */
function takesOwnCoins({ purpose }: PrepareRequest): boolean {
  return purpose === 'fee' || purpose === 'payment' || purpose === 'void' || purpose === 'child';
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

async function mergeAndSend(parts: Parts, terms: MergeTerms, tip: Tip): Promise<Answer<number>> {
  const merged = await merge(parts, terms);
  if (!merged.ok) return merged;
  if (merged.value === null) return ok(0);
  const { made, coins } = merged.value;
  const answer = await send(parts, { tx_hex: made.hex, tx_hash: made.txid }, tip);
  keepForAWhile(parts, made);
  return answer.ok ? ok(coins) : answer;
}
