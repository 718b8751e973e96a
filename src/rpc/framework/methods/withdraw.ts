import { z } from 'zod';
import type { Withdrawal } from '../../../chains/utxo/withdraw.ts';
import type { ActiveCoin } from '../../../node/active-coin.ts';
import { flag, option, struct, text } from '../../../node/serde.ts';
import type { ChainFault } from '../../../ports/chain.ts';
import {
  type DecimalText,
  fromBaseUnits,
  isDecimalText,
  toBaseUnits,
  toBigNumber,
} from '../../../primitives/decimal.ts';
import { numberText } from '../../../primitives/json.ts';
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
  context.addIssue({ code: 'custom', message: 'invalid value: expected a decimal amount from 0 on' });
  return z.NEVER;
});

const asked = struct('WithdrawRequest', {
  coin: text,
  to: text,
  amount: amount.optional(),
  max: option(flag),
  fee: option(struct('WithdrawFee', { type: text, amount })),
  from: z.unknown().optional(),
});

type Asked = z.output<typeof asked>;
type Serving = { readonly node: FrameworkContext };

/** Signs what leaves the wallet for an address; `send_raw_transaction` sends it. */
export const withdraw: FrameworkMethod<FrameworkContext> = {
  name: 'withdraw',
  summary: 'Signs a transaction to an address, without what swaps need. It is sent by send_raw_transaction.',
  legacy: { run: (request, { node }) => withdrawn(readLegacy(asked, request), node) },
  v2: v2Form({ params: asked, run: (given: Asked, { node }: Serving) => withdrawn(given, node) }),
};

async function withdrawn(given: Asked, { node }: FrameworkContext) {
  const coin = node.coins.get(given.coin);
  if (coin === undefined) throw noSuchCoin(given.coin);
  const answer = await coin.chain.withdraw(withdrawalOf(given, coin));
  if (!answer.ok) throw refused(given, { active: coin, fault: answer.fault });
  const { tx_hex, tx_hash, spent, received, fee } = answer.value;
  return {
    ...{ tx_hex, tx_hash, from: [coin.address], to: [given.to] },
    total_amount: spent,
    spent_by_me: spent,
    received_by_me: received,
    my_balance_change: toBigNumber(received).minus(toBigNumber(spent)).toFixed(),
    block_height: 0,
    timestamp: toUnixSeconds(node.clock.now()),
    fee_details: { type: 'Utxo', coin: given.coin, amount: fee },
    coin: given.coin,
    internal_id: '',
    transaction_type: 'StandardTransfer',
    memo: null,
  };
}

function withdrawalOf({ to, from, amount: wanted, max, fee }: Asked, { scriptOf, decimals }: ActiveCoin): Withdrawal {
  if ((from ?? null) !== null) throw foreseen('UnexpectedFromAddress', "Unexpected 'from' address: ", ONE_ADDRESS);
  const script = scriptOf(to);
  if (script === null) throw foreseen('InvalidAddress', 'Invalid address: ', to.slice(0, 100));
  if (max !== true && wanted === undefined) throw invalid('missing field `amount`');
  const units = (given: DecimalText): bigint => {
    const places = toBigNumber(given).decimalPlaces() ?? 0;
    if (places > decimals) throw invalid(`${given} has more than ${decimals} digits after the point`);
    return toBaseUnits(given, decimals);
  };
  if (fee !== null && fee.type !== 'UtxoFixed' && fee.type !== 'UtxoPerKbyte') {
    const why = `Expected 'UtxoFixed' or 'UtxoPerKbyte' fee types, found ${fee.type.slice(0, 40)}`;
    throw foreseen('InvalidFeePolicy', 'Invalid fee policy: ', why);
  }
  const kind = fee?.type === 'UtxoFixed' ? 'fixed' : 'perKbyte';
  return {
    to: script,
    amount: max === true ? null : units(wanted as DecimalText),
    fee: fee === null ? null : { kind, units: units(fee.amount) },
  };
}

const ONE_ADDRESS = "'from' is not supported: the coins of a node are at one address of each coin";

/** Texts and data of the real node (`WithdrawError`): the text has words before the data. */
function foreseen(type: string, words: string, data: string): RpcFailure {
  return new RpcFailure(`${words}${data}`, { type, data, status: 400 });
}

function invalid(problem: string): RpcFailure {
  return new RpcFailure(problem, { type: 'InvalidRequest', data: problem, status: 400 });
}

type Refused = { readonly active: ActiveCoin; readonly fault: ChainFault };

function refused({ coin, amount: asked }: Asked, { active, fault }: Refused): RpcFailure {
  const { kind, message, shortage } = fault;
  switch (kind) {
    case 'insufficientFunds':
      return new RpcFailure(`Not enough ${coin} to withdraw: ${message}`, {
        type: 'NotSufficientBalance',
        ...(shortage === undefined ? {} : { data: { coin, ...shortage } }),
        status: 400,
      });
    case 'invalid': {
      const threshold = fromBaseUnits(active.chain.traits.minTxAmount, active.decimals);
      const data = { amount: asked ?? '0', threshold };
      const text = `The amount ${data.amount} is too small, required at least ${threshold}`;
      return new RpcFailure(text, { type: 'AmountTooLow', data, status: 400 });
    }
    case 'feeTooLow':
      return new RpcFailure(`Invalid fee parameters: ${message}`, {
        type: 'InvalidFee',
        data: { reason: message },
        status: 400,
      });
    default:
      return new RpcFailure(`Transport error: ${message}`, { type: 'Transport', data: message, status: 502 });
  }
}
