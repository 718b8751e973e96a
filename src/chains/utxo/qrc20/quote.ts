import { contractCallScript, gasCost } from '../../../htlc/contract-output.ts';
import type { Answer, Quote } from '../../../ports/chain.ts';
import { fromBaseUnits } from '../../../primitives/decimal.ts';
import { unixSecondsOf } from '../../../primitives/time.ts';
import { ok } from '../answers.ts';
import { type FeeRate, feeAt, feeLater, rateAt } from '../coin.ts';
import { coinsText } from '../parts.ts';
import { dayRate } from '../prepare.ts';
import { sizeWith } from '../sign-coins.ts';
import { tokenFunds } from './funds.ts';
import { endFee, USUAL_COINS } from './make.ts';
import type { Look, TokenParts } from './parts.ts';
import { GAS, GAS_PRICE } from './token.ts';

/** Bytes of the calls, selector and words. */
const DATA = { transfer: 4 + 2 * 32, approval: 4 + 2 * 32, payment: 4 + 6 * 32 } as const;

/** What a swap needs to know before it starts. @throws BackendSilent, ContractsUnsteady, ContractAbsent */
export async function quoteOf(parts: TokenParts, look: Look): Promise<Answer<Quote>> {
  const { coin, chain } = parts;
  const { fees } = chain.coin;
  const rate = rateAt(fees, { rate: await dayRate(chain), urgency: 0 });
  const { free } = await tokenFunds(parts, look);
  const told = (units: bigint) => coinsText(chain, feeLater(fees, units));
  const end = endFee(parts, { rate, gasPrice: GAS_PRICE });
  return ok({
    height: look.tip.height,
    clock: unixSecondsOf(look.time),
    spendable: fromBaseUnits(free, coin.decimals),
    // A payer must be able to refund, and the wallet pays for that too.
    paymentFee: told(callsFee(parts, { rate, calls: ['approval', 'approval', 'payment'] }) + end),
    spendFee: told(end),
    spendFeeFrom: 'wallet',
    dexFeeFee: told(callsFee(parts, { rate, calls: ['transfer'] })),
    feeCoin: {
      coin: chain.coin.coin,
      spendable: coinsText(chain, chain.purse.spendable()),
      coming: coinsText(chain, chain.purse.coming()),
    },
  });
}

type Priced = { readonly rate: FeeRate; readonly calls: readonly (keyof typeof DATA)[] };

/** For one transaction with these calls: its maximal gas and its bytes. */
function callsFee({ chain, account }: TokenParts, { rate, calls }: Priced): bigint {
  const outputs = calls.map((call) => ({
    value: 0n,
    script: contractCallScript({
      ...{ gasLimit: GAS[call], gasPrice: GAS_PRICE, data: new Uint8Array(DATA[call]), contract: account },
    }),
  }));
  const change = { value: 0n, script: chain.purse.script };
  return gasCost(outputs) + feeAt(rate, sizeWith(USUAL_COINS, [...outputs, change], chain.coin));
}

/** What this many claims or refunds cost now, without asking a server. */
export function endsCost(parts: TokenParts, count: number): bigint {
  const { rate, floor } = parts.chain.coin.fees;
  return BigInt(count) * endFee(parts, { rate: rate ?? floor, gasPrice: GAS_PRICE });
}
