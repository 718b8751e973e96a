import { z } from 'zod';
import { flag, option, struct, text } from '../../../node/serde.ts';
import type { WalletRefusal } from '../../../ports/coin-wallet.ts';
import { type DecimalText, isDecimalText, toBigNumber } from '../../../primitives/decimal.ts';
import { isJsonObject, type JsonObject, numberText } from '../../../primitives/json.ts';
import { toUnixSeconds } from '../../../primitives/time.ts';
import { noSuchCoin } from '../active.ts';
import type { FrameworkContext } from '../context.ts';
import { RpcFailure } from '../failure.ts';
import { type FrameworkMethod, v2Form } from '../method.ts';
import { readLegacy } from '../swap-request.ts';

/** A decimal as a text or a number; exact. */
const amount = z.unknown().transform((given, context): DecimalText => {
  const written = typeof given === 'string' ? given : numberText(given);
  if (written !== undefined && isDecimalText(written) && !written.startsWith('-')) return written;
  context.addIssue({ code: 'custom', message: 'invalid value: expected a decimal amount of 0 or more' });
  return z.NEVER;
});

/** Its members are those of the coin's family, which reads them. */
const fee = z.unknown().transform((given, context): JsonObject | null => {
  if (given === undefined || given === null) return null;
  if (isJsonObject(given) && typeof given['type'] === 'string') return given;
  context.addIssue({ code: 'custom', message: isJsonObject(given) ? 'missing field `type`' : FEE_EXPECTED });
  return z.NEVER;
});

const FEE_EXPECTED = 'invalid type: expected internally tagged enum WithdrawFee';

const asked = struct('WithdrawRequest', {
  coin: text,
  to: text,
  amount: amount.optional(),
  max: option(flag),
  fee: fee.optional(),
  from: z.unknown().optional(),
});

type Asked = z.output<typeof asked>;
type Serving = { readonly node: FrameworkContext };

/** Signs what leaves the wallet for an address; `send_raw_transaction` sends it. */
export const withdraw: FrameworkMethod<FrameworkContext> = {
  name: 'withdraw',
  summary: 'Signs a transaction to an address without spending what swaps need. Send it with send_raw_transaction.',
  legacy: { run: (request, { node }) => withdrawn(readLegacy(asked, request, node.node), node) },
  v2: v2Form({ params: asked, run: (given: Asked, { node }: Serving) => withdrawn(given, node) }),
};

async function withdrawn(given: Asked, { node }: FrameworkContext) {
  if (node.compatibility === 'specification') requireOneAmount(given);
  const coin = node.coins.get(given.coin);
  if (coin === undefined) throw noSuchCoin(given.coin, node);
  if ((given.from ?? null) !== null) {
    const text = `Unexpected 'from' address: ${ONE_ADDRESS}`;
    throw failureOf({ type: 'UnexpectedFromAddress', text, data: ONE_ADDRESS });
  }
  if (given.max !== true && given.amount === undefined) throw failureOf(NO_AMOUNT);
  const wanted = given.max === true ? null : (given.amount ?? null);
  const answer = await coin.wallet.withdraw({ to: given.to, amount: wanted, fee: given.fee ?? null });
  if (!answer.ok) throw failureOf(answer.refusal);
  const { tx_hex, tx_hash, to, spent, received, fee_details } = answer.value;
  return {
    ...{ tx_hex, tx_hash, from: [coin.address], to: [to] },
    total_amount: spent,
    spent_by_me: spent,
    received_by_me: received,
    my_balance_change: toBigNumber(received).minus(toBigNumber(spent)).toFixed(),
    block_height: 0,
    timestamp: toUnixSeconds(node.clock.now()),
    fee_details,
    coin: given.coin,
    internal_id: '',
    transaction_type: 'StandardTransfer',
    memo: null,
  };
}

/** What would send nothing, or other than one of its members says. The real node takes both. @throws RpcFailure */
function requireOneAmount({ amount: given, max }: Asked): void {
  if (max === true && given !== undefined)
    throw invalidAmount(`amount is ${given}, but max is set too: give only one of them`);
  if (max !== true && given !== undefined && toBigNumber(given).isZero()) throw invalidAmount('amount must be above 0');
}

function invalidAmount(text: string): RpcFailure {
  return new RpcFailure(text, { type: 'InvalidRequest', data: text, status: 400 });
}

const ONE_ADDRESS = "'from' is not supported: this node holds each coin at one address";
const NO_AMOUNT = { type: 'InvalidRequest', text: 'missing field `amount`', data: 'missing field `amount`' } as const;

type Refusal = Omit<WalletRefusal, 'type'> & { readonly type: WalletRefusal['type'] | 'UnexpectedFromAddress' };

function failureOf({ type, text, data }: Refusal): RpcFailure {
  const status = type === 'Transport' ? 502 : 400;
  return new RpcFailure(text, { type, ...(data === undefined ? {} : { data }), status });
}
