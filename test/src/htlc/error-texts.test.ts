import { describe, expect, it } from 'vitest';
import { negotiationTimeout } from '../../../src/htlc/check-negotiation.ts';
import * as texts from '../../../src/htlc/error-texts.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { unixSecondsOf } from '../../../src/primitives/time.ts';
import { describeShared, manifest, readShared } from '../../support/shared.ts';

const at = unixSecondsOf(1_700_000_000);
const amount = (text: string) => text as DecimalText;

describe('texts of failures', () => {
  it('of a start name the coin that was asked, which depends on the side', () => {
    expect(texts.dexFeeCostUnknown('e')).toBe('!taker_coin.get_fee_to_send_taker_fee e');
    expect(texts.senderFeeUnknown('taker', 'e')).toBe('!taker_coin.get_sender_trade_fee e');
    expect(texts.senderFeeUnknown('maker', 'e')).toBe('!maker_coin.get_sender_trade_fee e');
    expect(texts.receiverFeeUnknown('taker', 'e')).toBe('!maker_coin.get_receiver_trade_fee e');
    expect(texts.receiverFeeUnknown('maker', 'e')).toBe('!taker_coin.get_receiver_trade_fee e');
    expect(texts.balanceCheckFailed('taker', 'e')).toBe('!check_balance_for_taker_swap e');
    expect(texts.balanceCheckFailed('maker', 'e')).toBe('!check_balance_for_maker_swap e');
    expect(texts.currentBlockUnknown('maker', 'e')).toBe('!maker_coin.current_block e');
    expect(texts.currentBlockUnknown('taker', 'e')).toBe('!taker_coin.current_block e');
  });

  it('of a balance give the locked amount as the debug form of an option', () => {
    const shortage = { coin: 'DOC', available: amount('1.5'), required: amount('2'), locked: amount('0.1') };
    expect(texts.notEnough(shortage)).toBe(
      'Not enough DOC for swap: available 1.5, required at least 2, locked by swaps Some(BigDecimal("0.1"))',
    );
    expect(texts.notEnoughBaseCoin({ ...shortage, locked: null })).toBe(
      'Not enough base coin DOC balance for swap: available 1.5, required at least 2, locked by swaps None',
    );
    expect(texts.volumeTooLow('DOC', amount('0.1'), { minimum: amount('0.2') })).toBe(
      'The volume 0.1 of the DOC coin less than minimum transaction amount 0.2',
    );
    expect(texts.transportError('e')).toBe('Transport error: e');
    expect(texts.internalError('e')).toBe('Internal error: e');
  });

  it('of a step that came too late give both times', () => {
    expect(texts.pastDeadline(unixSecondsOf(at + 1), at)).toBe('Timeout 1700000001 > 1700000000');
    expect(texts.makerPaymentMessageMissing(691, 690)).toBe(
      "Error waiting for 'maker-payment' data: Timeout (691 > 690)",
    );
    expect(texts.messageMissing(691, 690)).toBe('Timeout (691 > 690)');
    expect(texts.waitedTooLongToConfirm('ab', { until: at, confirmations: 2 })).toBe(
      'Waited too long until 1700000000 for transaction ab to be confirmed 2 times',
    );
    expect(texts.waitedTooLongForSpend('ab', at)).toBe(
      'Waited too long until 1700000000 for transaction ab 0 to be spent ',
    );
  });

  it('of a payment say what was asked of the chain', () => {
    expect(texts.makerPaymentInvalid('e')).toBe('!validate maker payment: e');
    expect(texts.takerPaymentInvalid('e')).toBe('!taker_coin.validate_taker_payment: e');
    expect(texts.makerPaymentUnconfirmed('e')).toBe('!wait for maker payment confirmations: e');
    expect(texts.takerPaymentUnconfirmed('e')).toBe('!taker_coin.wait_for_confirmations: e');
    expect(texts.makerPaymentSpendUnconfirmed('e')).toBe('!wait for maker payment spend confirmations: e');
    expect(texts.takerPaymentSpendUnconfirmed('e')).toBe('!wait for taker payment spend confirmations: e');
    expect(texts.takerRefundNotSent('said "no"')).toBe('"said \\"no\\""');
    expect(texts.makerRefundNotSent('e')).toBe('!maker_coin.send_maker_refunds_payment: e');
  });

  it('of a validation give what was found before what was expected', () => {
    expect(texts.paymentWithoutOutputs()).toBe('Payment tx has no outputs');
    expect(texts.paymentScriptWrong('a', 'b')).toBe("Provided payment tx script pubkey doesn't match expected a b");
    expect(texts.paymentValueWrong(1n, 2n)).toBe("Provided payment tx output value doesn't match expected 1 2");
    expect(texts.feeOfAnotherSender()).toBe('Invalid sender: Taker payment does not belong to the verified public key');
    expect(texts.feeTooOld('a', 7)).toBe('Early confirmation: Fee tx a confirmed before min_block 7');
    expect(texts.feeDiffersFromNode('a', 'b')).toBe("Provided dex fee tx a doesn't match tx data from rpc b");
    expect(texts.feeScriptWrong('a', 'b')).toBe(
      "Invalid receiver: Provided dex fee tx output script_pubkey doesn't match expected a b",
    );
    expect(texts.feeTooLow(1n, 2n)).toBe('Provided dex fee tx output value is less than expected 1 2');
    expect(texts.feeOutputMissing('a', 1)).toBe('Provided dex fee tx a does not have output 1');
  });
});

describeShared('recorded failures', () => {
  const seen = recordedErrors().map(plain);

  it('are these texts behind the code locations of the real node', () => {
    for (const text of [
      negotiationTimeout(180, 180),
      texts.makerPaymentMessageMissing(270, 270),
      texts.messageMissing(270, 270),
      texts.messageMissing(4770, 4770),
    ]) {
      expect(seen).toContain(text);
    }
  });

  it('of a wait for a spend name the lock and the transaction', () => {
    const waits = seen.filter((text) => text.includes('to be spent'));
    expect(waits.length).toBeGreaterThan(0);
    for (const text of waits) {
      const [, until, tx] = /^Waited too long until (\d+) for transaction (.*) 0 to be spent $/s.exec(text) ?? [];
      expect(text).toBe(texts.waitedTooLongForSpend(tx ?? '', unixSecondsOf(Number(until))));
    }
  });
});

/** Without code locations, and with a timeout in today's spelling. */
function plain(error: string): string {
  return error.replaceAll(/\w+:\d+\] /g, '').replaceAll(/timeout \((\d+)\.\d > (\d+)\.\d\)/g, 'Timeout ($1 > $2)');
}

function recordedErrors(): readonly string[] {
  return manifest().flatMap(({ file }) => {
    const { events } = JSON.parse(readShared(`swaps/${file}`)) as {
      events: { event: { data?: { error?: unknown } } }[];
    };
    return events.flatMap(({ event }) => (typeof event.data?.error === 'string' ? [event.data.error] : []));
  });
}
