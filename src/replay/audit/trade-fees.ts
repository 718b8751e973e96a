import type { Role } from '../../events/catalog.ts';
import { isMissing, lockedOutput } from './payment-output.ts';
import type { SwapRule } from './rule.ts';
import { fieldsOf, textField } from './stored-fields.ts';

const FEES: Readonly<Record<Role, readonly (readonly [string, Role])[]>> = {
  taker: [
    ['fee_to_send_taker_fee', 'taker'],
    ['taker_payment_trade_fee', 'taker'],
    ['maker_payment_spend_trade_fee', 'maker'],
  ],
  maker: [
    ['maker_payment_trade_fee', 'maker'],
    ['taker_payment_spend_trade_fee', 'taker'],
  ],
};

/** The coins in which the miners are paid. */
export const tradeFeeCoinRule: SwapRule = {
  check: 'trade-fee-coins',
  describes:
    'The fees for miners that Started foresees are in the coin that is moved, where that is the own coin of a UTXO chain; tokens pay them in the coin of their platform.',
  source: 'KDF stored swaps: event payloads',
  run: (swap, findings) => {
    const { startedSeq } = swap;
    if (startedSeq === undefined) return;
    for (const [member, side] of FEES[swap.role]) {
      const found = textField(fieldsOf(swap.started[member]), 'coin');
      if (found === undefined) continue;
      const payment = swap.payments[side];
      const output = lockedOutput(payment);
      if (found === payment.coin) findings.verified(startedSeq, `${member} in ${found}`);
      else if (isMissing(output)) findings.notCheckable(startedSeq, `${member} in ${found}; ${output.missing}`);
      else findings.violated(startedSeq, { expected: payment.coin ?? 'no coin', found, reason: member });
    }
  },
};
