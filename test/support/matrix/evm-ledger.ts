import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { hasReward, TARGET } from '../../../src/sim/world/judge/rewards.ts';
import type { Above, AccountCall, Books, ToldBlock, ToldTransaction } from './chain.ts';
import { accountOf } from './evm-words.ts';
import type { LedgerPayment, LedgerSpend, LegLedger } from './ledger.ts';

// What happened on a chain with accounts, counted from its blocks and receipts alone. Nothing here asks the engine or its adapter.

/** Of one chain: 40 hex digits; null where the chain’s own coin is traded. */
export type EvmPlace = {
  readonly contract: string;
  readonly token: string | null;
  /** What it is traded for on the same chain, in the same way. @defaultValue nothing there */
  readonly other?: string | null;
};

export type EvmTransaction = {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
  readonly input: string;
  readonly value: string;
  readonly nonce: string;
};
export type EvmReceipt = { readonly status: string; readonly gasUsed: string; readonly effectiveGasPrice: string };

/** Public key of KDF’s trading fees. */
const FEE_KEY = '03bc2c7ba671bae4a6fc835244c9762b41647b9827d4780a89a949b984a8ddcc06';
const FEE_ACCOUNT = accountOf(Buffer.from(FEE_KEY, 'hex'));

const PAYS_ETHER = '152cf3af';
const PAYS_TOKENS = '9b415b2a';
const CLAIMS = '02ed292b';
const REFUNDS = '46fc0294';
/** The same for whoever acts for a party, and for payments that promise something for that. */
const PAYS_ETHER_AND = '0971fd54';
const PAYS_TOKENS_AND = '6a322786';
const CLAIMS_FOR = 'b5985c4d';
const REFUNDS_FOR = 'cd1dde34';
const TRANSFERS = 'a9059cbb';
const ETHER = '0'.repeat(40);

export function toldOf(
  { hash, from, to, input, value, nonce }: EvmTransaction,
  receipt: EvmReceipt | null,
): ToldTransaction {
  return {
    txid: hash.slice(2),
    inputs: [],
    outputs: [],
    call: {
      from: from.slice(2),
      to: to?.slice(2) ?? '',
      data: input.slice(2),
      value: BigInt(value),
      nonce: Number(nonce),
      succeeded: receipt === null ? null : receipt.status === '0x1',
      cost: receipt === null ? 0n : BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice),
    },
  };
}

/** A call of the swap contract that pays. */
type Paying = {
  readonly id: string;
  readonly coin: string;
  readonly amount: bigint;
  readonly receiver: string;
  readonly secretHash: string;
  readonly lock: number;
  /** What it promises beside the amount; null for a plain one. */
  readonly promise: { readonly target: number; readonly onClaim: boolean; readonly amount: bigint } | null;
};
/** One that claims, with the secret, or refunds, with its hash. */
type Ending = {
  readonly how: 'claimed' | 'refunded';
  readonly id: string;
  readonly amount: bigint;
  readonly shown: string;
  readonly coin: string;
  readonly party: string;
  /** For whom it is, where it is not for whoever calls. */
  readonly owner: string | null;
};

const wordsOf = (data: string): readonly string[] => data.slice(8).match(/.{64}/g) ?? [];
const addressIn = (word: string | undefined): string => (word ?? '').slice(24);
const hash20 = (word: string | undefined): string => (word ?? '').slice(0, 40);
const big = (word: string | undefined): bigint => BigInt(`0x${word ?? '0'}`);

function payingIn({ to, data, value }: AccountCall, { contract }: EvmPlace): Paying | null {
  if (to !== contract) return null;
  const [id = '', second, third, fourth, fifth, sixth] = wordsOf(data);
  const isPromising = data.startsWith(PAYS_ETHER_AND) || data.startsWith(PAYS_TOKENS_AND);
  const promise = isPromising ? promiseIn(data) : null;
  if (data.startsWith(PAYS_ETHER) || data.startsWith(PAYS_ETHER_AND))
    return {
      id,
      coin: ETHER,
      promise,
      amount: value - takenFor(promise),
      receiver: addressIn(second),
      secretHash: hash20(third),
      lock: Number(big(fourth)),
    };
  if (!data.startsWith(PAYS_TOKENS) && !data.startsWith(PAYS_TOKENS_AND)) return null;
  const coin = addressIn(third);
  return {
    id,
    coin,
    promise,
    // Tokens are promised to whoever claims alone; all else comes beside them.
    amount: big(second) - (promise?.target === TARGET.claimer ? takenFor(promise) : 0n),
    receiver: addressIn(fourth),
    secretHash: hash20(fifth),
    lock: Number(big(sixth)),
  };
}

function promiseIn(data: string): Paying['promise'] {
  const [target, onClaim, amount] = wordsOf(data).slice(-3);
  return { target: Number(big(target)), onClaim: big(onClaim) === 1n, amount: big(amount) };
}

function takenFor(promise: Paying['promise']): bigint {
  return promise === null || (promise.target === TARGET.nobody && !promise.onClaim) ? 0n : promise.amount;
}

function endingIn({ to, data }: AccountCall, { contract }: EvmPlace): Ending | null {
  const isFor = data.startsWith(CLAIMS_FOR) || data.startsWith(REFUNDS_FOR);
  const isClaim = data.startsWith(CLAIMS) || data.startsWith(CLAIMS_FOR);
  if (to !== contract || (!isClaim && !isFor && !data.startsWith(REFUNDS))) return null;
  const [id = '', amount, third = '', coin, fifth, sixth] = wordsOf(data);
  // The plain ones name the other side alone, the others first the sender and then the receiver.
  const [party, owner] = !isFor ? [fifth, null] : isClaim ? [fifth, addressIn(sixth)] : [sixth, addressIn(fifth)];
  const shown = isClaim ? third : hash20(third);
  return {
    how: isClaim ? 'claimed' : 'refunded',
    id,
    amount: big(amount),
    shown,
    coin: addressIn(coin),
    party: addressIn(party),
    owner,
  };
}

/** What a call sends to the account of trading fees, and in which coin. */
function feeIn({ to, data, value }: AccountCall): { readonly coin: string; readonly amount: bigint } | null {
  if (to === FEE_ACCOUNT) return { coin: ETHER, amount: value };
  const [receiver, amount] = wordsOf(data);
  return data.startsWith(TRANSFERS) && addressIn(receiver) === FEE_ACCOUNT ? { coin: to, amount: big(amount) } : null;
}

/** How the chain is read. */
export function evmBooks(place: EvmPlace): Books {
  const coin = place.token ?? ETHER;
  const payment = ({ call }: ToldTransaction): Paying | null => {
    const paying = call === undefined ? null : payingIn(call, place);
    return paying?.coin === coin ? paying : null;
  };
  return {
    ledger: (blocks, { from, balances }) => ledgerOf(blocks, { from, balances, place }),
    isPayment: (told) => payment(told) !== null,
    isTradingFee: ({ call }) => call !== undefined && feeIn(call)?.coin === coin,
    // A secret is out with its call, whether the payment is in a block or not.
    spends: ({ call }) => call !== undefined && endingIn(call, place)?.coin === coin,
    shown({ call }) {
      const ending = call === undefined ? null : endingIn(call, place);
      return ending?.how === 'claimed' && ending.coin === coin ? ending.shown : null;
    },
    partyOf: accountOf,
  };
}

type Done = { readonly txid: string; readonly height: number; readonly call: AccountCall };

function ledgerOf(
  blocks: readonly ToldBlock[],
  { from, balances, place }: Above & { readonly place: EvmPlace },
): LegLedger {
  const coin = place.token ?? ETHER;
  const all = blocks.flatMap(({ height, transactions }) =>
    transactions.flatMap(({ txid, call }): readonly Done[] => (call === undefined ? [] : [{ txid, height, call }])),
  );
  const recent = all.filter(({ height }) => height > from);
  const done = recent.filter(({ call }) => call.succeeded === true);
  const payments = done.flatMap((each) => {
    const paying = payingIn(each.call, place);
    return paying?.coin === coin ? [paymentOf(each, { paying, done, place })] : [];
  });
  const strays = done.flatMap((each) => strayIn(each, { place, coin }));
  return {
    payments,
    fees: done.flatMap(({ call }) => {
      const fee = feeIn(call);
      return fee?.coin === coin ? [fee.amount] : [];
    }),
    balance: (script) => balances.get(script) ?? 0n,
    costs(script) {
      const own = recent.filter(({ call }) => call.from === script).map(({ call }) => call.cost);
      const paid = own.reduce((total, cost) => total + cost, 0n);
      const most = own.reduce((top, cost) => (cost > top ? cost : top), 0n);
      // Gas is paid in the chain’s own coin, whatever is traded.
      return { sum: place.token === null ? paid : 0n, transactions: own.length, most };
    },
    rewards: (script) => (place.token === null ? rewardsFor(script, { done, place }) : 0n),
    strays,
  };
}

/** By the table of the contract, of payments in the chain's own coin. */
function rewardsFor(script: string, { done, place }: Pick<Around, 'done' | 'place'>): bigint {
  let total = 0n;
  for (const { call } of done) {
    const paying = payingIn(call, place);
    if (paying?.coin !== ETHER || paying.promise === null) continue;
    const ended = done.flatMap((each) => {
      const ending = endingIn(each.call, place);
      return ending?.id === paying.id ? [{ how: ENDS[ending.how], caller: each.call.from }] : [];
    });
    const taken = takenFor(paying.promise);
    if (call.from === script) total -= taken;
    if (hasReward(paying.promise, { payer: call.from, end: ended[0] ?? null }) === script) total += taken;
  }
  return total;
}

const ENDS = { claimed: 'claim', refunded: 'refund' } as const;

type Around = { readonly paying: Paying; readonly done: readonly Done[]; readonly place: EvmPlace };

function paymentOf({ txid, height, call }: Done, { paying, done, place }: Around): LedgerPayment {
  const { id, amount, secretHash, lock, receiver } = paying;
  const payment = { txid, height, id, value: amount, named: secretHash };
  for (const end of done) {
    const ending = endingIn(end.call, place);
    if (ending === null || ending.id !== id) continue;
    const secret = ending.how === 'claimed' ? ending.shown : null;
    const spend: LedgerSpend = {
      txid: end.txid,
      height: end.height,
      how: ending.how,
      terms: { lock, secretHash: secret === null ? ending.shown : hashOf(secret), sender: call.from, receiver },
      secret,
      to: ending.owner ?? end.call.from,
      fee: end.call.cost,
    };
    return { ...payment, spend };
  }
  return { ...payment, spend: null };
}

function hashOf(secret: string): string {
  return Buffer.from(ripemd160(sha256(Buffer.from(secret, 'hex')))).toString('hex');
}

/** What a swap of this coin has no business to do. */
function strayIn(
  { txid, call }: Done,
  { place, coin }: { readonly place: EvmPlace; readonly coin: string },
): readonly string[] {
  const paying = payingIn(call, place);
  const isOther = (found: string): boolean => place.other !== undefined && found === (place.other ?? ETHER);
  if (paying !== null && paying.coin !== coin && !isOther(paying.coin))
    return [`${txid} pays another coin, ${paying.coin}`];
  const fee = feeIn(call);
  return fee !== null && fee.coin !== coin && !isOther(fee.coin)
    ? [`${txid} pays a trading fee of another coin, ${fee.coin}`]
    : [];
}
