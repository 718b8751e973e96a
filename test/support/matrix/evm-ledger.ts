import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
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
};
/** One that claims, with the secret, or refunds, with its hash. */
type Ending = {
  readonly how: 'claimed' | 'refunded';
  readonly id: string;
  readonly amount: bigint;
  readonly shown: string;
  readonly coin: string;
  readonly party: string;
};

const wordsOf = (data: string): readonly string[] => data.slice(8).match(/.{64}/g) ?? [];
const addressIn = (word: string | undefined): string => (word ?? '').slice(24);
const hash20 = (word: string | undefined): string => (word ?? '').slice(0, 40);
const big = (word: string | undefined): bigint => BigInt(`0x${word ?? '0'}`);

function payingIn({ to, data, value }: AccountCall, { contract }: EvmPlace): Paying | null {
  if (to !== contract) return null;
  const [id = '', second, third, fourth, fifth, sixth] = wordsOf(data);
  if (data.startsWith(PAYS_ETHER))
    return {
      id,
      coin: ETHER,
      amount: value,
      receiver: addressIn(second),
      secretHash: hash20(third),
      lock: Number(big(fourth)),
    };
  if (!data.startsWith(PAYS_TOKENS)) return null;
  const coin = addressIn(third);
  return {
    id,
    coin,
    amount: big(second),
    receiver: addressIn(fourth),
    secretHash: hash20(fifth),
    lock: Number(big(sixth)),
  };
}

function endingIn({ to, data }: AccountCall, { contract }: EvmPlace): Ending | null {
  const isClaim = data.startsWith(CLAIMS);
  if (to !== contract || (!isClaim && !data.startsWith(REFUNDS))) return null;
  const [id = '', amount, third = '', coin, party] = wordsOf(data);
  const shown = isClaim ? third : hash20(third);
  return {
    how: isClaim ? 'claimed' : 'refunded',
    id,
    amount: big(amount),
    shown,
    coin: addressIn(coin),
    party: addressIn(party),
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
    strays,
  };
}

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
      to: end.call.from,
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
