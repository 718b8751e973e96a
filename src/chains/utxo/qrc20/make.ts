import { contractCallScript, gasCost } from '../../../htlc/contract-output.ts';
import type { TransactionOutput } from '../../../htlc/transaction.ts';
import type { Answer, PreparedTransaction, PrepareRequest } from '../../../ports/chain.ts';
import { decimalOf, fromBaseUnits, toBaseUnits } from '../../../primitives/decimal.ts';
import { fault, ok } from '../answers.ts';
import { type FeeRate, feeAt, rateAt } from '../coin.ts';
import { madeOf, spentBy } from '../made.ts';
import { coinsText } from '../parts.ts';
import { dayRate } from '../prepare.ts';
import type { Plan, Replaced } from '../purse.ts';
import { sizeWith } from '../sign-coins.ts';
import { tokenFunds } from './funds.ts';
import type { Look, TokenParts } from './parts.ts';
import { GAS, GAS_PRICE, gasPriceAt } from './token.ts';

type Variant = Extract<PrepareRequest, { readonly purpose: 'fee' | 'payment' | 'claim' | 'refund' }>;

export type Calls = {
  readonly request: Variant;
  readonly swap: string;
  readonly look: Look;
  /** Outputs with calls, for a given gas price. */
  readonly outputs: readonly ((gasPrice: bigint) => TransactionOutput)[];
  /** Tokens that leave the account, in base units. */
  readonly amount: bigint;
  /** Whether it may have to be refunded, which the wallet pays for. */
  readonly refundable: boolean;
};

/** The name under which the platform's coins are reserved that a swap will still pay for calls of this token. */
export function feeHold(coin: string, swap: string): string {
  return `${swap} ${coin}`;
}

/** Signs a transaction whose outputs call contracts. One at a time for each wallet. @throws BackendSilent, ContractsUnsteady, ContractAbsent */
export async function makeCalls(parts: TokenParts, calls: Calls): Promise<Answer<PreparedTransaction>> {
  const { chain, coin, taken } = parts;
  const { request, swap, amount } = calls;
  const { purse } = chain;
  const earlier = request.replaces === null ? null : madeOf(request.replaces.tx_hex);
  const replaced = purse.replacedOf(earlier);
  const lacking = await tokensLacking(parts, { ...calls, beside: replaced === null ? null : earlier });
  if (lacking !== null) return lacking;
  const rate = rateAt(chain.coin.fees, { rate: await dayRate(chain), urgency: request.urgency });
  const planned = planOf(parts, { ...calls, rate, replaced });
  if ('fault' in planned) return planned;
  const refundFee = calls.refundable ? endFee(parts, { rate, gasPrice: planned.gasPrice }) : 0n;
  const held = purse.heldByOthers(feeHold(coin.coin, swap));
  const left = purse.spendable() + purse.coming() - planned.plan.fee - refundFee;
  if (replaced === null && left < 0n)
    return fault('insufficientFunds', `no ${chain.coin.coin} for the cost of a refund`);
  if (replaced === null && left < held)
    return fault('coinsPromised', `the rest of the ${chain.coin.coin} is held for other swaps`);
  const made = await purse.sign(planned.plan);
  purse.take(made);
  if (replaced === null) {
    taken.spend(swap, amount);
    spendHeld(parts, { swap, units: planned.plan.fee });
  }
  const { fee } = planned.plan;
  return ok({
    tx_hex: made.hex,
    tx_hash: made.txid,
    spends: spentBy(made.tx),
    fee: coinsText(chain, fee),
    ...(calls.refundable ? { refundFee: coinsText(chain, refundFee) } : {}),
  });
}

/** The most that claiming or refunding a payment costs: its gas, and its bytes with the usual number of inputs. */
export function endFee(
  { chain, account }: TokenParts,
  { rate, gasPrice }: { readonly rate: FeeRate; readonly gasPrice: bigint },
): bigint {
  const output = {
    value: 0n,
    script: contractCallScript({ gasLimit: GAS.end, gasPrice, data: new Uint8Array(END_DATA), contract: account }),
  };
  return gasCost([output]) + feeAt(rate, sizeWith(USUAL_COINS, [output, changeOf(chain)], chain.coin));
}

/** Bytes of the call that ends a payment. */
const END_DATA = 4 + 5 * 32;
/** Assumed number of inputs of a transaction. */
export const USUAL_COINS = 2;

function changeOf({ purse }: TokenParts['chain']): TransactionOutput {
  return { value: 0n, script: purse.script };
}

function spendHeld(
  { chain: { purse }, coin }: TokenParts,
  { swap, units }: { readonly swap: string; readonly units: bigint },
): void {
  const name = feeHold(coin.coin, swap);
  const own = purse.held.get(name);
  if (own !== undefined) purse.held.set(name, own > units ? own - units : 0n);
}

type Lacking = Pick<Calls, 'amount' | 'swap' | 'look'> & { readonly beside: Parameters<typeof tokenFunds>[2] };

async function tokensLacking(
  parts: TokenParts,
  { amount, swap, look, beside }: Lacking,
): Promise<ReturnType<typeof fault> | null> {
  if (amount === 0n) return null;
  const { all, free } = await tokenFunds(parts, look, beside);
  const text = (units: bigint) => fromBaseUnits(units, parts.coin.decimals);
  if (all < amount) return fault('insufficientFunds', `Balance ${text(all)} is less than value ${text(amount)}`);
  const held = parts.taken.heldByOthers(swap);
  if (free - held >= amount) return null;
  return fault(
    'coinsPromised',
    `${text(all)} are there, of which ${text(all - free)} are signed away and ${text(held)} held for other swaps`,
  );
}

type Planning = Calls & { readonly rate: FeeRate; readonly replaced: Replaced | null };

type Planned = { readonly plan: Plan; readonly gasPrice: bigint } | ReturnType<typeof fault>;

/** As dear as the urgency asks, within the bound. */
function planOf({ chain }: TokenParts, { request, outputs, rate, replaced }: Planning): Planned {
  const { purse, coin } = chain;
  const maxFee = request.maxFee === undefined ? null : toBaseUnits(decimalOf(request.maxFee), coin.decimals);
  for (let urgency = request.urgency; ; urgency -= 1) {
    const gasPrice = gasPriceAt(urgency);
    const made = outputs.map((output) => output(gasPrice));
    const plan = purse.plan({ outputs: made, rate, replaced, maxFee, showsKey: true });
    if (plan === 'tooDear' && gasPrice > GAS_PRICE) continue;
    if (plan === 'tooDear') return fault('feeTooLow', 'no fee within the bound suffices');
    if (plan !== 'tooFew') return { plan, gasPrice };
    const least = gasCost(made) + feeAt(rate, sizeWith(1, made, coin));
    const kind = purse.spendable() + purse.coming() >= least ? 'coinsPromised' : 'insufficientFunds';
    return fault(kind, `not enough ${coin.coin} for ${coinsText(chain, least)} of gas and fee`);
  }
}
