import type { TransactionOutput } from '../../../src/htlc/transaction.ts';
import { hash160 } from '../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import type { IdentifiedTransaction } from '../../../src/smartchain/chain/block.ts';
import type { SmartChain } from '../../../src/smartchain/node.ts';

/** The account that calls: that of the key which the first spent output pays to; undefined where it pays to another kind of script. */
export function accountOfInput({ transaction }: IdentifiedTransaction, chain: SmartChain): string | undefined {
  const [first] = transaction.inputs;
  const script = first === undefined ? undefined : outputOf(first, chain)?.script;
  if (script === undefined) return undefined;
  if (script.length === 25 && script[0] === 0x76 && script[1] === 0xa9) return bytesToHex(script.subarray(3, 23));
  if (script.length === 35 && script[0] === 33 && script[34] === 0xac)
    return bytesToHex(hash160(script.subarray(1, 34)));
  return undefined;
}

/** What its inputs are worth, in base units; undefined where one is unknown. */
export function spentBy({ transaction }: IdentifiedTransaction, chain: SmartChain): bigint | undefined {
  let sum = 0n;
  for (const input of transaction.inputs) {
    const output = outputOf(input, chain);
    if (output === undefined) return undefined;
    sum += output.value;
  }
  return sum;
}

function outputOf(
  { txid, vout }: { readonly txid: string; readonly vout: number },
  chain: SmartChain,
): TransactionOutput | undefined {
  const found = chain.mempool().entries.get(txid) ?? chain.tree.ledger.transactions.get(txid);
  return found?.transaction.outputs[vout];
}
