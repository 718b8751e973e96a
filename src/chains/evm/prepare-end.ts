import { type NamedPayment, PAYMENT_STATE, storedProblem } from '../../htlc/contract-payment.ts';
import { encodeSwapCall } from '../../htlc/evm-calls.ts';
import { secretFits } from '../../htlc/secret-hash.ts';
import type { Answer, PrepareRequest } from '../../ports/chain.ts';
import { fault, ok } from '../accounts/answers.ts';
import { gasAt, gasLimits, MOST_GAS_STEPS } from './coin.ts';
import { storedUnder } from './contract-calls.ts';
import type { Plan } from './make.ts';
import type { Parts } from './parts.ts';
import { type Call, CallReverted, type EvmLook } from './reader.ts';
import { type Rewarded, rewardedBy, rewardedEnd, rewardSaid } from './rewards.ts';
import { callOf, namedOf } from './terms.ts';
import { stepsToMove } from './token-gas.ts';
import { madeOf } from './transaction.ts';

type Ends = Extract<PrepareRequest, { readonly purpose: 'claim' | 'refund' }>;

export const INVALID_TERMS = fault('invalid', 'these terms cannot be written as a call of the swap contract');
export const WOULD_REVERT = fault(
  'unavailable',
  'the swap contract refuses this call now; it would have no effect, and might reveal the secret for nothing',
);

/** A claim or a refund by the party itself. */
export async function planEnd(
  parts: Parts,
  { request, look }: { readonly request: Ends; readonly look: EvmLook },
): Promise<Answer<Plan>> {
  const { coin, account } = parts;
  const named = namedOf(request.terms, coin);
  if (named === null) return INVALID_TERMS;
  const claims = request.purpose === 'claim';
  if ((claims ? named.receiver : named.sender) !== account.address)
    return fault('invalid', `the terms name another ${claims ? 'receiver' : 'sender'}`);
  if (claims && !secretFits(request.secret, named.secretHash))
    return fault('invalid', 'the secret does not match its hash');
  const limits = gasLimits(coin);
  const secret = claims ? request.secret : null;
  const endOf = (rewarded: Rewarded | null) => ({
    data: rewarded === null ? plainEnd(named, secret) : rewardedEnd(rewarded, secret),
    limit: (claims ? limits.claim : limits.refund) + (rewarded === null ? 0n : MORE_FOR_REWARD),
  });
  const isFirst = claims && request.replaces === null && request.doubtful !== true;
  const least = gasBefore(parts, { named, request });
  // A refund cannot be tried before the chain's next block accepts it, but a move of the token can.
  const isMeasured = !isFirst && coin.token !== undefined;
  const steps = isMeasured ? stepsToMove(look, parts, { limit: claims ? limits.claim : limits.refund }) : 0;
  const gasOf = async ({ data, limit }: ReturnType<typeof endOf>): Promise<bigint | null> => {
    const call = { from: account.address, to: named.contract, data };
    if (isFirst) return gasOfTrial(look, { call, limit, urgency: request.urgency });
    const gas = gasAt(limit, Math.max(request.urgency, (await steps) ?? 0));
    // A trial may have found more than its urgency gives, and with less its replacement would have no effect.
    return least < gas ? gas : least;
  };
  const { tx_hex: funding } = request.funding;
  const [rewarded] = await Promise.all([
    rewardedFor(parts, { named, look, funding }),
    // In its most likely form: tried beside the question whether it has that form.
    gasOf(endOf(rewardSaid(madeOf(funding), named))).catch(() => null),
  ]);
  const end = endOf(rewarded);
  const gas = await gasOf(end);
  if (gas === null) return WOULD_REVERT;
  const content = { to: named.contract, value: 0n, data: end.data, gas, amount: 0n };
  return ok({ variant: request, content });
}

/** The most gas that this account has given to such an end of a payment; 0 if there is none. */
function gasBefore(
  { account }: Pick<Parts, 'account'>,
  { named, request }: { readonly named: NamedPayment; readonly request: Ends },
): bigint {
  const replaced = request.replaces === null ? null : madeOf(request.replaces.tx_hex);
  const own = [...account.prepared.callsAbout(named), ...(replaced === null ? [] : [replaced])].filter(
    (made) => made.from === account.address && callOf(made, named.contract)?.kind === request.purpose,
  );
  return own.reduce((most, { gas }) => (gas > most ? gas : most), 0n);
}

/** Beyond what a plain end of a payment may use: a longer call, and another transfer. */
export const MORE_FOR_REWARD = 50_000n;

type Ending = { readonly named: NamedPayment; readonly look: EvmLook; readonly funding: string };

/** The reward of the payment to end, by the transaction that made it; null if it is a plain one, or missing. */
export async function rewardedFor(
  { events, birth }: Parts,
  { named, look, funding }: Ending,
): Promise<Rewarded | null> {
  const stored = await storedUnder(look, named);
  if (stored.state === PAYMENT_STATE.none || storedProblem(stored, named) === null) return null;
  const shown = rewardedBy(madeOf(funding), { named, stored });
  if (shown !== null) return shown;
  const paid = await events.find(look, { contract: named.contract, id: named.id, kind: 'paid', from: birth });
  const known = paid === null || paid === 'unread' ? null : await look.transaction(paid.transaction);
  return rewardedBy(madeOf(known?.hex ?? ''), { named, stored });
}

type Trial = { readonly call: Call; readonly limit: bigint; readonly urgency: number };

/**
 * Gas with which a call has its effect, by a call that changes nothing: what urgency gives, or more within what the most urgent one has. Null if the
 * contract refuses it: it would be in vain, and a claim would show the secret for nothing. @throws BackendSilent
 */
export async function gasOfTrial(look: EvmLook, { call, limit, urgency }: Trial): Promise<bigint | null> {
  for (let step = urgency; step <= Math.max(urgency, MOST_GAS_STEPS); step += 1) {
    const gas = gasAt(limit, step);
    if (await isTaken(look, { ...call, gas })) return gas;
    if (step === urgency && !(await isTaken(look, call))) return null;
  }
  return null;
}

async function isTaken(look: EvmLook, call: Call): Promise<boolean> {
  try {
    await look.call(call);
    return true;
  } catch (error) {
    if (error instanceof CallReverted) return false;
    throw error;
  }
}

/** A claim with the secret; without one, a refund. */
function plainEnd({ id, amount, token, sender, receiver, secretHash }: NamedPayment, secret: string | null): string {
  const common = { swapId: id, amount, token };
  return secret === null
    ? encodeSwapCall({ kind: 'refund', ...common, party: receiver, secretHash })
    : encodeSwapCall({ kind: 'claim', ...common, party: sender, secret: secret.toLowerCase() });
}
