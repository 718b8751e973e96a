import type {
  Answer,
  Chain,
  ChainFault,
  ChainFeed,
  ChainTraits,
  Hold,
  PrepareRequest,
  Quote,
} from '../../ports/chain.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Balances } from '../../ports/coin-wallet.ts';
import { type DecimalText, fromBaseUnits, toBaseUnits } from '../../primitives/decimal.ts';
import { type Height, heightOf, type Seconds } from '../../primitives/time.ts';
import { doubted, fault, NEVER_TAKEN, ok, unanswered } from '../accounts/answers.ts';
import { watchForNews } from '../accounts/feed.ts';
import { type Marks, marksOf } from '../accounts/marks.ts';
import { Unmarked } from '../accounts/unmarked.ts';
import type { TendermintAccount } from './account.ts';
import { broadcast } from './broadcast.ts';
import { type GasKind, gasLimits, type TendermintCoin } from './coin.ts';
import { checkFee } from './fee-check.ts';
import { fundsOf } from './funds.ts';
import type { Told } from './holds.ts';
import type { Parts } from './parts.ts';
import { paymentOf } from './payment-view.ts';
import { prepare } from './prepare.ts';
import { feeAt, feeText, feeUnits } from './prices.ts';
import type { TendermintLook } from './reader.ts';
import { standingOf } from './standing.ts';
import { type Made, madeOf } from './transaction.ts';
import { admit, type TendermintWithdrawal, type TendermintWithdrawn, withdraw } from './withdraw.ts';

export type TendermintChainOptions = {
  readonly coin: TendermintCoin;
  /** The account, one for all coins that it has on the chain. */
  readonly account: TendermintAccount;
  readonly clock: Clock;
  /** Pause between two looks for news. */
  readonly poll: Seconds;
};

/** One coin of an account, behind the chain port. */
export type TendermintChain = Chain &
  Required<Pick<ChainFeed, 'hold' | 'resumed' | 'height'>> &
  ChainFeed &
  Marks & {
    /** The confirmed balance of the account, including what swaps hold. For display, so also given if too few nodes answer for money. */
    balances(): Promise<Answer<Balances>>;
    /** Makes and signs a withdrawal to an address. Sends nothing. */
    withdraw(withdrawal: TendermintWithdrawal): Promise<Answer<TendermintWithdrawn>>;
    /** Sends a signed transaction and returns its id, unless it takes what swaps have signed for or hold: fault `coinsPromised`. */
    send(tx_hex: string): Promise<Answer<string>>;
  };

/**
 * A coin of an account on a Tendermint chain. It asks a node nothing before the first question.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import {
 *   BackendSilent, createTendermintChain, createTendermintNodeReader, TendermintAccount,
 * } from 'swapfold/chains/tendermint';
 * import { decimalOf } from 'swapfold/htlc';
 * import { walletOfPassphrase } from 'swapfold/node';
 * import { systemClock } from 'swapfold/runtime';
 *
 * const fees = { denom: 'uiris', decimals: 6, coin: 'IRIS' };
 * const ids = { chainId: 'irishub-1', prefix: 'iaa', module: 'irismod' } as const;
 * const network = { ...ids, fees, gasPrice: decimalOf('0.25') };
 * const node = { name: 'a node', request: () => Promise.reject(new BackendSilent('no answer')) };
 * const reader = createTendermintNodeReader(node, network);
 * const signer = walletOfPassphrase(new Secret('an example')).coins;
 * const account = new TendermintAccount({ reader, signer, network });
 * const coin = { coin: 'ATOM', decimals: 6, denom: 'ibc/27AB', finality: 1, blockTime: 5 };
 * const chain = createTendermintChain({ coin, account, clock: systemClock(), poll: 5 });
 * [chain.traits.refund, chain.traits.secretHashBytes]; // → ['automatic', 32]
 * const quote = await chain.quote();
 * quote.ok ? null : quote.fault.kind; // → 'unavailable'
 * ```
 */
export function createTendermintChain({ coin, account, clock, poll }: TendermintChainOptions): TendermintChain {
  const parts: Parts = { coin, account };
  let height: Height | null = null;
  const noted = (look: TendermintLook): TendermintLook => {
    if (look.settled) height = heightOf(look.head.height);
    return look;
  };
  const by = async <T>(question: Question<T>, few = false): Promise<Answer<T>> =>
    question(noted(await account.reader.look(few)));
  const asked = <T>(question: Question<T>, few = false): Promise<Answer<T>> => by(question, few).catch(unanswered);
  const joined = account.join(coin.coin);
  const unmarked = new Unmarked<Made>({
    madeOf,
    unknown: (made) => unknownOf(account, made),
    giveBack: (made) => account.giveBack(made),
  });
  return {
    traits: traitsOf(parts),
    htlcKey: () => account.key,
    // After what is being given back or filled.
    quote: () => account.inTurn(() => asked((look) => quoteOf(parts, look))),
    payment: (query) => {
      const question = (look: TendermintLook) => paymentOf(parts, { query, look });
      return by(question)
        .catch((error: unknown) => doubted(error, () => by(question, true)))
        .catch(unanswered);
    },
    transaction: (id) => asked((look) => standingOf(parts, { id, look })),
    checkFee: (check, { swap }) => asked((look) => checkFee(parts, { check, swap, look })),
    prepare: (request, { swap }) =>
      account.inTurn(async () => {
        const answer = await asked((look) => prepare(parts, { request, swap, look }), mayBeDoubtful(request));
        if (answer.ok) unmarked.note(answer.value.tx_hex);
        return answer;
      }),
    broadcast: (transaction, sending) => {
      unmarked.keep(transaction.tx_hash);
      return asked((look) => broadcast(parts, { transaction, look }), sending?.doubtful);
    },
    subscribe: (onChange) =>
      watchForNews({ seen: () => seenNow(parts, noted), clock, poll, news: account.reader.news }, onChange),
    ...marksOf({ madeOf, account, unmarked, joined }),
    hold: (hold) => account.holds.set(hold.swap, coin.coin, toldOf(parts, hold)),
    height: () => height,
    ...ownersActs(parts, asked),
  };
}

/** Of the signed transactions, those that no node knows. */
async function unknownOf(account: TendermintAccount, made: readonly Made[]): Promise<readonly Made[]> {
  const look = await account.reader.look();
  const waiting = new Set((await look.waiting()).map((hex) => madeOf(hex)?.id));
  const known = await Promise.all(made.map(async ({ id }) => waiting.has(id) || (await look.included(id)) !== null));
  return made.filter((_, place) => known[place] === false);
}

type Ask = <T>(question: Question<T>, few?: boolean) => Promise<Answer<T>>;

/** What the owner of an account does outside its swaps. */
function ownersActs(parts: Parts, asked: Ask): Pick<TendermintChain, 'balances' | 'withdraw' | 'send'> {
  const { account, coin } = parts;
  return {
    balances: () =>
      asked(async (look) => {
        const { all, unlocked } = await fundsOf(parts, { look, denom: coin.denom });
        const units = (value: bigint): DecimalText => fromBaseUnits(value, coin.decimals);
        return ok({ spendable: units(unlocked), unspendable: units(all - unlocked) });
      }, SHOWN),
    withdraw: (withdrawal) => account.inTurn(() => asked((look) => withdraw(parts, { withdrawal, look }))),
    async send(tx_hex) {
      const admitted = await account.inTurn(() => asked((look) => admit(parts, { tx_hex, look })));
      if (!admitted.ok) return admitted;
      const { made, isNew } = admitted.value;
      const transaction = { tx_hex: made.hex, tx_hash: made.id };
      const sent = await asked((look) => broadcast(parts, { transaction, look }));
      if (sent.ok) return ok(made.id);
      if (!NEVER_TAKEN.has(sent.fault.kind)) return unclear(sent.fault, made);
      if (isNew) account.giveBack(made);
      return sent;
    },
  };
}

/** A caller that makes a new withdrawal instead of repeating this one may pay twice. */
function unclear({ kind, message, ...more }: ChainFault, { id }: Made): Answer<never> {
  const advice = `a node may have it nevertheless, so a new withdrawal may pay twice: look for transaction ${id}, or send the same bytes again`;
  return fault(kind, `${message}; ${advice}`, more);
}

/** Nothing depends on what is shown, so any answer is enough. */
const SHOWN = true;

type Question<T> = (look: TendermintLook) => Promise<Answer<T>>;

function mayBeDoubtful(request: PrepareRequest): boolean {
  return request.purpose === 'claim' && request.doubtful === true;
}

function traitsOf({ coin: { coin, decimals, finality, blockTime }, account }: Parts): ChainTraits {
  return {
    ...{ coin, decimals, minTxAmount: 1n, refund: 'automatic', watchers: false, finality, blockTime },
    ...{ contract: null, scheme: null, secretHashBytes: 32, counter: account.network.chainId },
  };
}

function toldOf({ coin, account }: Parts, { amount, fees }: Hold): Told {
  return {
    denom: coin.denom,
    amount: toBaseUnits(amount, coin.decimals),
    fees: fees === undefined ? 0n : feeUnits(account.network, fees),
  };
}

async function quoteOf(parts: Parts, look: TendermintLook): Promise<Answer<Quote>> {
  const { coin, account } = parts;
  const { network } = account;
  const limits = gasLimits(network);
  const cost = (kind: GasKind) => {
    const known = account.learned.get(kind) ?? 0n;
    const gas = known > limits[kind] ? known : limits[kind];
    return feeText(network, feeAt(network, { gas, urgency: 0 }));
  };
  const own = await fundsOf(parts, { look, denom: coin.denom });
  const { height, time } = look.head;
  const quote: Quote = {
    ...{ height, clock: time, spendable: fromBaseUnits(own.free, coin.decimals) },
    spendFeeFrom: 'wallet',
    ...{ paymentFee: cost('payment'), spendFee: cost('claim'), dexFeeFee: cost('transfer') },
  };
  if (coin.denom === network.fees.denom) return ok(quote);
  const platform = await fundsOf(parts, { look, denom: network.fees.denom });
  return ok({ ...quote, feeCoin: { coin: network.fees.coin, spendable: feeText(network, platform.free) } });
}

/** Changes with every block, and with payments that wait or come from the account. */
async function seenNow({ account }: Parts, noted: (look: TendermintLook) => TendermintLook): Promise<string | null> {
  try {
    const look = noted(await account.reader.look());
    const waiting = (await look.waiting()).flatMap((hex) => {
      const made = madeOf(hex);
      const isOfPayment = made?.messages.some(({ kind }) => kind === 'create' || kind === 'claim');
      return made !== null && (isOfPayment || made.from === account.account) ? [made.id] : [];
    });
    return [look.head.hash, ...waiting.sort()].join(' ');
  } catch (error) {
    unanswered(error);
    return null;
  }
}
