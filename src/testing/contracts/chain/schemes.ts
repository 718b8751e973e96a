import { htlcInputOfHex } from '../../../htlc/htlc-input.ts';
import { paymentProblem } from '../../../htlc/payment.ts';
import type { ScriptScheme } from '../../../htlc/script.ts';
import { decodeTransaction, isTransactionProblem } from '../../../htlc/transaction.ts';
import type { PaymentTerms } from '../../../ports/chain.ts';
import { toBaseUnits } from '../../../primitives/decimal.ts';
import { hexToBytes } from '../../../primitives/hex.ts';
import { answerOf, type Check, expectEqual, expectThat, FOR_SWAP, type Scene, sentPayment, termsOf } from './scene.ts';

/** What a chain with scripts puts into its bytes, which other nodes, watchers and audits read. */
export const schemeCases: readonly Check[] = [
  {
    title: 'payments and presigned watcher transactions use the script scheme that traits.scheme names',
    check: async (fixture) => {
      const { scheme } = fixture.sender.traits;
      expectEqual(fixture.receiver.traits.scheme, scheme, 'traits.scheme of another wallet');
      if (scheme === undefined || scheme === null) return;
      const terms = termsOf(fixture);
      const payment = await sentPayment(fixture, terms);
      expectPayment(fixture, { terms, scheme, hex: payment.tx_hex });
      const funding = { tx_hex: payment.tx_hex, tx_hash: payment.tx_hash };
      if (!fixture.sender.traits.watchers) return;
      const { sender, receiver } = fixture;
      const refund = await answerOf(sender.prepare({ purpose: 'refundPreimage', terms, funding }, FOR_SWAP));
      const claim = await answerOf(receiver.prepare({ purpose: 'claimPreimage', terms, funding }, FOR_SWAP));
      expectInput(refund.tx_hex, { kind: 'refund', scheme });
      expectInput(claim.tx_hex, { kind: 'spendPreimage', scheme });
    },
  },
];

type Payment = { readonly terms: PaymentTerms; readonly scheme: ScriptScheme; readonly hex: string };

function expectPayment({ sender }: Scene, { terms, scheme, hex }: Payment): void {
  const decoded = decodeTransaction(hexToBytes(hex));
  if (isTransactionProblem(decoded))
    throw new Error(`a payment on a chain with scripts cannot be read: ${decoded.problem}`);
  const { lock, secretHash, sender: senderKey, receiver, amount } = terms;
  const problem = paymentProblem(decoded, {
    terms: {
      lockTime: lock,
      secretHash: hexToBytes(secretHash),
      senderKey: hexToBytes(senderKey),
      receiverKey: hexToBytes(receiver),
    },
    scheme,
    value: toBaseUnits(amount, sender.traits.decimals),
  });
  expectThat(problem === null, `output 0 of a payment is that of its terms under ${scheme}: ${problem}`);
}

function expectInput(hex: string, expected: { readonly kind: string; readonly scheme: ScriptScheme }): void {
  const found = htlcInputOfHex(hex);
  expectEqual([found?.kind, found?.scheme], [expected.kind, expected.scheme], 'branch and scheme of what is signed');
}
