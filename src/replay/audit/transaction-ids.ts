import type { SwapRule } from './rule.ts';
import { uncheckableId, useInWords } from './transactions.ts';

/** The id of every stored transaction against its bytes. */
export const transactionIdRule: SwapRule = {
  check: 'transaction-id',
  describes:
    'The stored id of every transaction is the hash of its stored bytes: double SHA-256 without the witness on UTXO chains, Keccak-256 on EVM chains, SHA-256 on Tendermint chains.',
  source: 'Bitcoin, BIP 141, Ethereum, CometBFT',
  run: (swap, findings) => {
    for (const { seq, use, hash, identity } of swap.transactions) {
      if (identity.status === 'verified') findings.verified(seq, hash);
      else if (identity.status === 'violated') {
        const { expected = 'the id of a transaction that can be read', found } = identity;
        findings.violated(seq, { expected, found: found === '' ? 'no id' : found });
      } else if (identity.reason === 'empty' && use.kind !== 'fee') {
        findings.violated(seq, {
          expected: 'a transaction',
          found: 'empty texts',
          reason: `only the fee may be left out, and this is ${useInWords(use)}`,
        });
      } else findings.notCheckable(seq, uncheckableId(identity.reason));
    }
  },
};
