import { abiWord, transferCall } from '../../htlc/token-calls.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { type EvmCoin, gasAt, gasLimits, MOST_GAS_STEPS } from './coin.ts';
import type { Moving } from './probe.ts';
import { CallReverted, type EvmLook } from './reader.ts';

/** What a call of the swap contract takes apart from moving the token. */
export const GAS_OF_CONTRACT = 65_000n;

/** What a move writes beyond a move of nothing: two balances, one of an account that had none. */
const GAS_OF_WRITING = 25_000n;

/** The tried amount: as much of the token as any holder has. */
const SOME = 1n;

type Gas = { readonly gas?: bigint };

/**
 * Whether a token does what the swap contract would call it for, with that much gas; by default with all that a node gives. Null if no node can try.
 * By the token's answer: the contract treats an empty one as true.
 */
export async function isMoved(
  look: EvmLook,
  { token, from, to, amount }: Moving,
  gas: Gas = {},
): Promise<boolean | null> {
  try {
    const answer = await look.call({ from, to: token, data: transferCall(to, amount), ...gas });
    return answer === '' || answer === abiWord('1');
  } catch (error) {
    if (error instanceof CallReverted) return false;
    if (error instanceof BackendSilent) return null;
    throw error;
  }
}

type Owned = { readonly coin: EvmCoin; readonly account: { readonly address: string } };

/** The gas of a call that moves the coin. `apart`: what it takes beside the move. */
type Limited = { readonly limit: bigint; readonly apart?: bigint };

/**
 * How many steps of more gas a call that moves the coin needs, by moves between the account and the swap contract that change nothing; the most if even
 * these do not suffice. Null if nothing shows it. The chain's own coin takes no gas to move.
 */
export async function stepsToMove(
  look: EvmLook,
  { coin, account }: Owned,
  { limit, apart = GAS_OF_CONTRACT }: Limited,
): Promise<number | null> {
  const enough = (fits: (room: bigint) => Promise<boolean>) => firstOf((step) => fits(gasAt(limit, step) - apart));
  if (coin.token === undefined) return enough(async (room) => room >= 0n);
  const token = coin.token.address;
  const [ends, pays] = [
    { token, from: coin.contract, to: account.address, amount: SOME },
    { token, from: account.address, to: coin.contract, amount: SOME },
  ];
  const within =
    (moving: Moving, less = 0n) =>
    async (room: bigint) =>
      room > less && (await isMoved(look, moving, { gas: room - less })) === true;
  const room = gasAt(limit, 0) - apart;
  const [endsAtOnce, canEnd, paysAtOnce] = await Promise.all([
    within(ends)(room),
    isMoved(look, ends),
    within(pays)(room),
  ]);
  if (endsAtOnce) return 0;
  if (canEnd === true) return enough(within(ends));
  if (paysAtOnce) return 0;
  const nothing = { ...ends, amount: 0n };
  const [canPay, canMoveNothing] = await Promise.all([isMoved(look, pays), isMoved(look, nothing)]);
  if (canPay === true) return enough(within(pays));
  return canMoveNothing === true ? enough(within(nothing, GAS_OF_WRITING)) : null;
}

/** The first sufficient step; all are tried at the same time, as most calls need the first one. */
async function firstOf(fits: (step: number) => Promise<boolean>): Promise<number> {
  const steps = Array.from({ length: MOST_GAS_STEPS }, (_, step) => step);
  const found = (await Promise.all(steps.map(fits))).indexOf(true);
  return found < 0 ? MOST_GAS_STEPS : found;
}

/** Gas of the calls by which an account pays and ends payments in a coin. */
export type GasOfCalls = {
  /** Of a payment itself. */
  readonly payment: bigint;
  /** Of what ends one, with no reward; the most if nothing shows what it takes. */
  readonly claim: bigint;
  readonly refund: bigint;
};

/** What such calls may really take, which for a token may be more than its limits at first: a claim is sent with whatever it needs. */
export async function gasOfCalls(look: EvmLook, owned: Owned): Promise<GasOfCalls> {
  const { payment, claim, refund } = gasLimits(owned.coin);
  const steps = await Promise.all([payment, claim, refund].map((limit) => stepsToMove(look, owned, { limit })));
  const [toPay, toClaim, toRefund] = steps as [number | null, number | null, number | null];
  const isToken = owned.coin.token !== undefined;
  return {
    // A failed trial costs nothing.
    payment: isToken ? gasAt(payment, toPay ?? 0) : payment,
    claim: gasAt(claim, toClaim ?? MOST_GAS_STEPS),
    // Only claims are tried: a refund of the chain's own coin is sent with its limit.
    refund: isToken ? gasAt(refund, toRefund ?? MOST_GAS_STEPS) : refund,
  };
}

type Paying = Owned & { readonly to: string };

/** The same for a trading fee without any urgency, tried if what ends a payment takes more than usual. */
export async function gasOfTokenFee(look: EvmLook, { to, ...owned }: Paying): Promise<bigint> {
  const { transfer, claim } = gasLimits(owned.coin);
  const { token } = owned.coin;
  const steps = await stepsToMove(look, owned, { limit: claim });
  if (token === undefined || steps === 0) return transfer;
  const moving = { token: token.address, from: owned.account.address, to, amount: SOME };
  if ((await isMoved(look, moving)) !== true) return transfer;
  return gasAt(
    transfer,
    await firstOf(async (step) => (await isMoved(look, moving, { gas: gasAt(transfer, step) })) === true),
  );
}
