import { KDF_NETWORK, type NetworkProfile } from '../../../htlc/network-profile.ts';
import { qtumAccount } from '../../../htlc/qtum-address.ts';
import type {
  Answer,
  Chain,
  ChainFeed,
  ChainTraits,
  Hold,
  PaymentView,
  PrepareRequest,
  SignedTransaction,
} from '../../../ports/chain.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Balances } from '../../../ports/coin-wallet.ts';
import type { Signer } from '../../../ports/signer.ts';
import { BackendSilent } from '../../../ports/silence.ts';
import { fromBaseUnits, toBaseUnits } from '../../../primitives/decimal.ts';
import { bytesToHex } from '../../../primitives/hex.ts';
import type { Seconds } from '../../../primitives/time.ts';
import { fault, ok, unanswered } from '../answers.ts';
import { watchForNews } from '../feed.ts';
import { type Made, madeOf } from '../made.ts';
import type { Parts } from '../parts.ts';
import { Purse } from '../purse.ts';
import { remembering } from '../questions.ts';
import type { Tip, UtxoReader } from '../reader.ts';
import { Reservations } from '../reservations.ts';
import { broadcast, send } from '../sending.ts';
import { ContractAbsent, type ContractReader, ContractsUnsteady } from './contracts.ts';
import { checkTokenFee } from './fee-check.ts';
import { tokenFunds } from './funds.ts';
import { leavesTokens, touchesPromised } from './guard.ts';
import { feeHold } from './make.ts';
import type { Look, TokenParts } from './parts.ts';
import { paymentOf } from './payment-view.ts';
import { prepareToken } from './prepare.ts';
import { endsCost, quoteOf } from './quote.ts';
import { standingOf } from './standing.ts';
import { TokenTaken } from './taken.ts';
import type { Qrc20Token } from './token.ts';
import { type TokenWithdrawal, type TokenWithdrawn, withdrawTokens } from './withdraw.ts';

export type Qrc20ChainOptions = {
  readonly coin: Qrc20Token;
  readonly reader: UtxoReader;
  readonly contracts: ContractReader;
  /** The account that owns the tokens and pays for calls. Contracts know an owner by its key alone, so all swaps use this key. */
  readonly signer: Signer;
  readonly clock: Clock;
  /** Height below which there is nothing of this wallet's swaps; a function if it may fall while the adapter is in use. */
  readonly birth: number | (() => number);
  /** @defaultValue the network of KDF */
  readonly network?: NetworkProfile;
  /** Pause between two looks for news. */
  readonly poll: Seconds;
  /** Shared with the chain's coin and its other tokens, if they take coins of the same key. @defaultValue none does */
  readonly reservations?: Reservations;
};

/** A token of one account on a UTXO chain, behind the chain port. */
export type Qrc20Chain = Chain &
  ChainFeed & {
    balances(): Promise<Answer<Balances>>;
    /** Makes and signs a transfer to an address. Sends nothing. */
    withdraw(withdrawal: TokenWithdrawal): Promise<Answer<TokenWithdrawn>>;
    /** Sends a foreign transaction, unless it may take what swaps have signed for or hold of any token: fault `coinsPromised`. */
    send(transaction: SignedTransaction): Promise<Answer<'sent' | 'known' | 'confirmed'>>;
  };

/**
 * A token whose payments are calls of the swap contract. Nothing is asked of the backend before the first question.
 *
 * What a contract says is of the tip at which it was asked; where the chain moves on meanwhile, the whole question is put again.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import {
 *   createDaemonContracts, createDaemonReader, createQrc20Chain, type DaemonClient, readUtxoEntry,
 * } from 'swapfold/chains/utxo';
 * import { walletOfPassphrase } from 'swapfold/node';
 * import { systemClock } from 'swapfold/runtime';
 *
 * const entry = { coin: 'QTUM', pubtype: 120, p2shtype: 110, protocol: { type: 'QTUM' } };
 * const { coin } = readUtxoEntry(entry, { finality: 4, scheme: 'p2sh' });
 * const addresses = { token: 'd3'.repeat(20), contract: 'ba'.repeat(20), fallbackContract: null };
 * const client: DaemonClient = { batch: async () => [] }; // In place of connectDaemon.
 * const token = createQrc20Chain({
 *   coin: { coin: 'QTOK', decimals: 8, ...addresses, platform: { ...coin, address: 'p2pkh' } },
 *   reader: createDaemonReader({ client, birth: 0, decimals: 8, medianBlocks: 11 }),
 *   ...{ contracts: createDaemonContracts(client), clock: systemClock(), birth: 0, poll: 10 },
 *   signer: walletOfPassphrase(new Secret('an example')).coins,
 * });
 * [token.traits.coin, token.traits.contract]; // → ['QTOK', addresses.contract]
 * ```
 */
export function createQrc20Chain(options: Qrc20ChainOptions): Qrc20Chain {
  const { coin, reader, clock, poll, reservations = new Reservations() } = options;
  const { inTurn } = reservations;
  const parts = partsOf(options, reservations);
  const { purse } = parts.chain;
  const { sync, height } = remembering(reader);
  const { asked, settled } = questionsTo({ ...options, sync });
  const withCoins = <T>(question: Question<T>, by: Ask = settled): Promise<Answer<T>> =>
    by(async (look) => {
      for (const script of purse.scripts) {
        if (!(await reader.follow(script, parts.chain.birth)))
          return fault('unknown', 'the wallet’s history is still being read');
      }
      return question(look);
    });
  reservations.guards.set(coin.coin, async (made) => {
    if (!touchesPromised(parts, made)) return null;
    const answer = await withCoins((look) => leavesTokens(parts, { made, look }));
    return answer.ok ? null : answer.fault;
  });
  const each = (action: (made: Made) => void) => (transactions: readonly SignedTransaction[]) => {
    for (const { tx_hex } of transactions) {
      const made = madeOf(tx_hex);
      if (made !== null) action(made);
    }
  };
  return {
    traits: traitsOf(coin),
    htlcKey: () => bytesToHex(options.signer.key),
    quote: () => withCoins((look) => quoteOf(parts, look)),
    payment: (query) => settled((look) => paymentOf(parts, { query, look }), carried),
    transaction: (id) => settled((look) => standingOf(parts, { id, look })),
    checkFee: (check) => settled((look) => checkTokenFee(parts, { check, look })),
    balances: () =>
      asked(async (look) => {
        const { all } = await tokenFunds(parts, look);
        return ok({ spendable: fromBaseUnits(all, coin.decimals), unspendable: fromBaseUnits(0n) });
      }),
    prepare: (request, { swap }) =>
      inTurn(() =>
        withCoins((look) => prepareToken(parts, { request, swap, look }), mayBeDoubtful(request) ? asked : settled),
      ),
    broadcast: (transaction, sending) =>
      asked(({ tip }) => broadcast(parts.chain, transaction, { ...tip, ...sending })),
    withdraw: (withdrawal) => inTurn(() => withCoins((look) => withdrawTokens(parts, { withdrawal, look }))),
    send: (transaction) => inTurn(() => asked(({ tip }) => send(parts.chain, transaction, tip))),
    subscribe: (onChange) => watchForNews({ reader, clock, poll, complete: false }, onChange),
    reserve: each((made) => purse.take(made)),
    release: each((made) => purse.giveBack(made)),
    hold: (hold) => holdFor(parts, hold),
    height,
  };
}

function partsOf(
  { coin, reader, signer, clock, network = KDF_NETWORK, birth }: Qrc20ChainOptions,
  reservations: Reservations,
): TokenParts {
  const { index } = reader;
  const purse = new Purse({ index, signer, coin: coin.platform, reservations });
  const chain: Parts = {
    ...{ coin: coin.platform, reader, purse, network, clock },
    signer: { coins: signer, ofSwap: () => signer },
    get birth() {
      return typeof birth === 'function' ? birth() : birth;
    },
  };
  const account = qtumAccount(signer.key);
  const { token, contract, fallbackContract } = coin;
  const contracts = fallbackContract === null ? [contract] : [contract, fallbackContract];
  const owned = { token, account, contracts, purse, index };
  return { coin, chain, account, owned, taken: new TokenTaken(owned) };
}

function holdFor(parts: TokenParts, { swap, amount, fees, ends = [] }: Hold): void {
  const { coin, chain, taken } = parts;
  taken.hold(swap, toBaseUnits(amount, coin.decimals));
  const told = fees === undefined ? 0n : toBaseUnits(fees, chain.coin.decimals);
  const now = endsCost(parts, ends.length);
  const units = told > now ? told : now;
  const name = feeHold(coin.coin, swap);
  if (units === 0n) chain.purse.held.delete(name);
  else chain.purse.held.set(name, units);
}

type Question<T> = (look: Look) => Promise<Answer<T>>;
type Ask = <T>(question: Question<T>) => Promise<Answer<T>>;
type AskSettled = <T>(
  question: Question<T>,
  doubted?: (value: T) => { readonly doubtful?: PaymentView },
) => Promise<Answer<T>>;

type Asking = Pick<Qrc20ChainOptions, 'reader' | 'contracts'> & Pick<UtxoReader, 'sync'>;

/** How often a question is repeated while the chain moves on. */
const MOST_LOOKS = 4;

function questionsTo(asking: Asking): { readonly asked: Ask; readonly settled: AskSettled } {
  const { reader } = asking;
  return {
    asked: async (question) => (await steadily(asking, question)).answer,
    /** For answers that money depends on: too few servers count as silence. */
    async settled(question, doubted = () => ({})) {
      const before = reader.looks?.() ?? 0;
      const { answer, doubt: ofContracts } = await steadily(asking, question);
      const doubt = reader.doubt?.(before) ?? ofContracts;
      if (doubt === null || !answer.ok) return answer;
      return { ok: false, fault: { kind: 'unavailable', message: doubt, ...doubted(answer.value) } };
    },
  };
}

type Told<T> = { readonly answer: Answer<T>; readonly doubt: string | null };

/** What contracts say has no block beside it: where the tip is another one afterwards, nobody knows of which it was. */
async function steadily<T>({ reader, contracts, sync }: Asking, question: Question<T>): Promise<Told<T>> {
  let why = 'the chain advances faster than its contracts can be queried';
  try {
    for (let left = MOST_LOOKS; left > 0; left -= 1) {
      const look = await lookAt(reader, { contracts, tip: await sync() });
      try {
        const answer = await question(look);
        if (!look.contracts.asked() || (await sync()).hash === look.tip.hash) {
          return { answer, doubt: look.contracts.doubt() };
        }
      } catch (error) {
        if (!(error instanceof ContractsUnsteady)) throw error;
        why = error.message;
      }
    }
    return { answer: fault('unavailable', why), doubt: null };
  } catch (error) {
    if (error instanceof ContractAbsent) return { answer: fault('unsupported', error.message), doubt: null };
    return { answer: unanswered(error), doubt: null };
  }
}

async function lookAt(
  reader: UtxoReader,
  { contracts, tip }: { readonly contracts: ContractReader; readonly tip: Tip },
): Promise<Look> {
  const time = await reader.timeOf(tip.height);
  if (time === null) throw new BackendSilent('no server reports the time of the last block');
  return { tip, time, contracts: contracts.look(tip) };
}

/** The fault carries what too few servers say about a payment. */
function carried(doubtful: PaymentView): { readonly doubtful: PaymentView } {
  return { doubtful };
}

/** A refund timed by a liar's fast clock would be included without effect. */
function mayBeDoubtful(request: PrepareRequest): boolean {
  return request.purpose === 'claim' && request.doubtful === true;
}

function traitsOf(coin: Qrc20Token): ChainTraits {
  return {
    coin: coin.coin,
    decimals: coin.decimals,
    minTxAmount: 1n,
    refund: 'transaction',
    refundFeeFrom: 'wallet',
    watchers: false,
    finality: coin.platform.finality,
    blockTime: coin.platform.blockTime,
    contract: coin.contract,
    fallbackContract: coin.fallbackContract,
    scheme: null,
    secretHashBytes: 20,
    children: true,
  };
}
