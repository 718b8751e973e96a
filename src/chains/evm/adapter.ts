import type { Answer, Chain, ChainFault, ChainFeed, ChainTraits, Hold, PrepareRequest } from '../../ports/chain.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Balances } from '../../ports/coin-wallet.ts';
import { fromBaseUnits, toBaseUnits } from '../../primitives/decimal.ts';
import { keccak256 } from '../../primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import { type Height, heightOf, type Seconds } from '../../primitives/time.ts';
import { doubted, fault, NEVER_TAKEN, ok } from '../accounts/answers.ts';
import { watchForNews } from '../accounts/feed.ts';
import { type Marks, marksOf } from '../accounts/marks.ts';
import { Unmarked } from '../accounts/unmarked.ts';
import type { EvmAccount } from './account.ts';
import { admit } from './admit.ts';
import { unanswered } from './answers.ts';
import { askedOnce } from './asked-once.ts';
import { broadcast } from './broadcast.ts';
import type { EvmCoin } from './coin.ts';
import { EventFinder } from './events.ts';
import { checkFee } from './fee-check.ts';
import { fundsOf } from './funds.ts';
import type { Told } from './holds.ts';
import { make } from './make.ts';
import { type Parts, WEI_DIGITS } from './parts.ts';
import { paymentOf } from './payment-view.ts';
import { plan } from './prepare.ts';
import { preparePreimage } from './prepare-for.ts';
import { gasOfEnd, quoteInTurn } from './quote.ts';
import { type EvmLook, Unsteady } from './reader.ts';
import { promisedIn } from './rewards.ts';
import { standingOf } from './standing.ts';
import { type Made, madeOf } from './transaction.ts';
import { type EvmWithdrawal, type EvmWithdrawn, withdraw } from './withdraw.ts';

export type EvmChainOptions = {
  readonly coin: EvmCoin;
  /** The account, one for all its coins on the chain. */
  readonly account: EvmAccount;
  readonly clock: Clock;
  /** Height below which there is nothing of this account's swaps; a function if it may fall while the adapter is in use. */
  readonly birth: number | (() => number);
  /** Between two looks for news. */
  readonly poll: Seconds;
};

/** One coin of an account, behind the chain port. */
export type EvmChain = Chain &
  Required<Pick<ChainFeed, 'hold' | 'resumed' | 'height'>> &
  ChainFeed &
  Marks & {
    /** What the account has by its blocks, including what swaps hold: for display, so also given if too few nodes answer for money. */
    balances(): Promise<Answer<Balances>>;
    /** Makes and signs a withdrawal to an address. Sends nothing. */
    withdraw(withdrawal: EvmWithdrawal): Promise<Answer<EvmWithdrawn>>;
    /** Sends a signed transaction and returns its id, unless it takes what swaps have signed for or hold: fault `coinsPromised`. */
    send(tx_hex: string): Promise<Answer<string>>;
  };

const LOGS_BLOCK_RANGE = 1000;

/**
 * A coin of an account on an EVM chain. It asks a node nothing before the first question.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import {
 *   createEvmChain, createEvmNodeReader, EvmAccount, readEvmEntry,
 * } from 'swapfold/chains/evm';
 * import { walletOfPassphrase } from 'swapfold/node';
 * import { systemClock } from 'swapfold/runtime';
 *
 * const block = { number: '0x10', hash: `0x${'ab'.repeat(32)}`, timestamp: '0x65536f00' };
 * const told: Record<string, unknown> = {
 *   ...{ eth_chainId: '0x1', eth_getBlockByNumber: block },
 *   ...{ eth_getBalance: '0x14d1120d7b160000', eth_getTransactionCount: '0x5' },
 * };
 * const node = { name: 'a node', request: async (method: string) => told[method] };
 * const reader = createEvmNodeReader(node, 1);
 * const signer = walletOfPassphrase(new Secret('an example')).coins;
 * const account = new EvmAccount({ reader, signer, chainId: 1, prices: readEvmEntry({}).prices });
 * const coin = { coin: 'BNB', decimals: 18, contract: 'c0'.repeat(20), finality: 9, blockTime: 3 };
 * const chain = createEvmChain({ coin, account, clock: systemClock(), birth: 0, poll: 6 });
 * await chain.balances(); // → { ok: true, value: { spendable: '1.5', unspendable: '0' } }
 * ```
 */
export function createEvmChain(options: EvmChainOptions): EvmChain {
  const { coin, account, clock, birth, poll } = options;
  const events = new EventFinder(coin.logsBlockRange ?? LOGS_BLOCK_RANGE);
  const parts = partsOf({ coin, account, events, birth, calls: { measured: null } });
  let height: Height | null = null;
  const noted = (look: EvmLook): EvmLook => {
    if (look.settled) height = heightOf(look.head.number);
    return look;
  };
  const by = async <T>(question: Question<T>, few = false): Promise<Answer<T>> =>
    question(noted(await account.reader.look(few)));
  const asked = <T>(question: Question<T>, few = false): Promise<Answer<T>> => steady(() => by(question, few));
  const joined = account.join(coin.coin);
  const unmarked = new Unmarked<Made>({
    madeOf,
    unknown: (made) => unknownOf(account, made),
    giveBack: (made) => account.giveBack(made),
  });
  return {
    traits: traitsOf(coin),
    htlcKey: () => account.key,
    quote: () => asked((look) => quoteInTurn(parts, askedOnce(look))),
    payment: (query) => {
      const question = (look: EvmLook) => paymentOf(parts, { query, look: askedOnce(look) });
      return steady(() => by(question).catch((error: unknown) => doubted(error, () => by(question, true))));
    },
    transaction: (id) => asked((look) => standingOf(parts, { id, look: askedOnce(look) })),
    checkFee: (check) => asked((look) => checkFee(parts, { check, look })),
    prepare: preparing(parts, { asked, unmarked }),
    broadcast: (transaction, sending) => {
      unmarked.keep(transaction.tx_hash);
      return asked((look) => broadcast(parts, { transaction, look }), sending?.doubtful);
    },
    subscribe: (onChange) => watchForNews({ seen: () => seenNow(parts, noted), clock, poll }, onChange),
    ...marksOf({ madeOf, account, unmarked, joined }),
    hold: (hold) => account.holds.set(hold.swap, coin.coin, toldOf(parts, hold)),
    height: () => height,
    ...ownersActs(parts, asked),
  };
}

type Signing = { readonly asked: Ask; readonly unmarked: Unmarked<Made> };

/** Requests are made in order; what making them needs is asked of the node at once. */
function preparing(parts: Parts, { asked, unmarked }: Signing): Chain['prepare'] {
  return (request, { swap }) => {
    if (request.purpose === 'claimPreimage' || request.purpose === 'refundPreimage')
      return asked(async () => preparePreimage(parts, { request }));
    const planned = asked((look) => plan(parts, { request, look: askedOnce(look) }), mayBeDoubtful(request));
    // Its turn reports it.
    planned.catch(() => undefined);
    return parts.account.inTurn(async () => {
      const ready = await planned;
      if (!ready.ok) return ready;
      const answer = await steady(() => make(parts, { ...ready.value, swap }));
      if (answer.ok) unmarked.note(answer.value.tx_hex);
      return answer;
    });
  };
}

type Given = Pick<Parts, 'coin' | 'account' | 'events' | 'calls'> & Pick<EvmChainOptions, 'birth'>;

function partsOf({ birth, ...given }: Given): Parts {
  return {
    ...given,
    get birth() {
      return typeof birth === 'function' ? birth() : birth;
    },
  };
}

const NOTHING = fromBaseUnits(0n);

/** Of the signed transactions, those that no node knows. */
async function unknownOf({ reader }: EvmAccount, made: readonly Made[]): Promise<readonly Made[]> {
  const look = await reader.look();
  const known = await Promise.all(made.map(({ id }) => look.transaction(id)));
  return made.filter((_, place) => known[place] === null);
}

type Ask = <T>(question: Question<T>, few?: boolean) => Promise<Answer<T>>;

/** Nothing is decided by what is shown, so any answer is enough. */
const SHOWN = true;

/** What the owner of an account does outside its swaps. */
function ownersActs(parts: Parts, asked: Ask): Pick<EvmChain, 'balances' | 'withdraw' | 'send' | 'promised'> {
  const { account, coin } = parts;
  return {
    ...(coin.rewards === true ? { promised: (hex) => promisedIn(coin, hex) } : {}),
    balances: () =>
      asked(async (look) => {
        const { wei, tokens } = await fundsOf(parts, { look });
        const spendable = fromBaseUnits((tokens ?? wei).all, coin.decimals);
        return ok({ spendable, unspendable: NOTHING });
      }, SHOWN),
    withdraw: (withdrawal) => asked((look) => withdraw(parts, { withdrawal, look: askedOnce(look) })),
    async send(tx_hex) {
      const admitted = await asked((look) => admit(parts, { tx_hex, look: askedOnce(look) }));
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
  const advice = `a node may have it nevertheless, so a new withdrawal may pay twice: look for transaction 0x${id}, or send the same bytes again`;
  return fault(kind, `${message}; ${advice}`, more);
}

type Question<T> = (look: EvmLook) => Promise<Answer<T>>;

/** By a clock that a lying node has set ahead, a refund would be included without effect. */
function mayBeDoubtful(request: PrepareRequest): boolean {
  return request.purpose === 'claim' && request.doubtful === true;
}

/** How often to repeat a look if the chain changes meanwhile. */
const MOST_LOOKS = 3;

async function steady<T>(question: () => Promise<Answer<T>>): Promise<Answer<T>> {
  for (let look = 1; ; look += 1) {
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof Unsteady)) return unanswered(error);
      if (look === MOST_LOOKS) return fault('unavailable', error.message);
    }
  }
}

function traitsOf(coin: EvmCoin): ChainTraits {
  return {
    coin: coin.coin,
    decimals: coin.decimals,
    minTxAmount: 1n,
    refund: 'transaction',
    refundFeeFrom: 'wallet',
    watchers: coin.rewards === true,
    ...(coin.rewards === true ? { rewards: true } : {}),
    finality: coin.finality,
    blockTime: coin.blockTime,
    contract: coin.contract,
    scheme: null,
    fallbackContract: coin.fallbackContract ?? null,
    secretHashBytes: 20,
  };
}

function toldOf(parts: Parts, { amount, fees, ends = [] }: Hold): Told {
  const { coin } = parts;
  return {
    token: coin.token?.address ?? null,
    amount: toBaseUnits(amount, coin.decimals),
    fees: fees === undefined ? 0n : toBaseUnits(fees, WEI_DIGITS),
    // Always as in the last quote: a swap from before a restart reports before there is one.
    get gas() {
      return ends.reduce((gas, end) => gas + gasOfEnd(parts, end), 0n);
    },
  };
}

/** A value that changes with every block, and with what waits for the swap contract or comes from the account. */
async function seenNow({ account, coin }: Parts, noted: (look: EvmLook) => EvmLook): Promise<string | null> {
  try {
    const look = noted(await account.reader.look());
    const waiting = await look.waiting({ contract: coin.contract, sender: account.address });
    const ids = waiting.map((hex) => bytesToHex(keccak256(hexToBytes(hex))));
    return [look.head.hash, ...ids.sort()].join(' ');
  } catch (error) {
    unanswered(error);
    return null;
  }
}
