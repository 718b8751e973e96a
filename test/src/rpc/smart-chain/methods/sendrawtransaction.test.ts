import { beforeAll, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../../../../src/primitives/hex.ts';
import type { NodeContext } from '../../../../../src/rpc/smart-chain/context.ts';
import { decodeTransaction } from '../../../../../src/smartchain/transaction/decode.ts';
import { encodeTransaction, transactionIdOf } from '../../../../../src/smartchain/transaction/encode.ts';
import type { Transaction } from '../../../../../src/smartchain/transaction/transaction.ts';
import { buildPayment } from '../../../../../src/smartchain/wallet/send.ts';
import { signTransaction } from '../../../../../src/smartchain/wallet/sign.ts';
import { ask, errorOf, openNode } from '../method-context.ts';

let node: NodeContext;

beforeAll(async () => {
  node = await openNode({ seed: 'sender' });
  await ask(node, 'generate', 4);
});

/** A payment that is not sent, changed and signed again. */
function payment(change: (transaction: Transaction) => Transaction = (same) => same): string {
  const script = Uint8Array.of(0x76, 0xa9, 0x14, ...new Uint8Array(20).fill(3), 0x88, 0xac);
  const built = buildPayment(node, { outputs: [{ value: 1_000_000n, script }] });
  if ('fault' in built) throw new Error(built.fault);
  const changed = change(built.identified.transaction);
  const spent = changed.inputs.flatMap(({ txid, vout }) => {
    return node.chain.tree.ledger.transactions.get(txid)?.transaction.outputs[vout] ?? [];
  });
  const whole = spent.length === changed.inputs.length;
  const { ring } = node.wallet;
  return bytesToHex(encodeTransaction(whole ? signTransaction(changed, { spent, ring }).transaction : changed));
}

const idOf = (hex: string) => transactionIdOf(decodeTransaction(hexToBytes(hex))?.bytes ?? new Uint8Array(0));

it('refuses with class and reason what breaks a rule', async () => {
  const refusal = (change: (transaction: Transaction) => Transaction) =>
    errorOf(node, 'sendrawtransaction', payment(change));
  expect(await refusal((tx) => ({ ...tx, inputs: [] }))).toBe('-26 16: bad-txns-vin-empty');
  expect(await refusal((tx) => ({ ...tx, outputs: [] }))).toBe('-26 16: bad-txns-vout-empty');
  expect(await refusal((tx) => ({ ...tx, expiryHeight: 1 }))).toBe('-26 16: tx-overwinter-expired');
  const dust = (tx: Transaction) => ({ ...tx, outputs: tx.outputs.map((output) => ({ ...output, value: 1n })) });
  expect(await refusal(dust)).toBe('-26 64: dust');
  const foreign = (tx: Transaction) => ({
    ...tx,
    inputs: tx.inputs.map((input) => ({ ...input, txid: 'ab'.repeat(32) })),
  });
  expect(await refusal(foreign)).toBe('-25 Missing inputs');
  const broken = decodeTransaction(hexToBytes(payment()))?.transaction as Transaction;
  const unsigned = { ...broken, inputs: broken.inputs.map((input) => ({ ...input, scriptSig: Uint8Array.of(1, 1) })) };
  expect(await errorOf(node, 'sendrawtransaction', bytesToHex(encodeTransaction(unsigned)))).toMatch(
    /^-26 16: mandatory-script-verify-flag-failed \(/,
  );
});

it('refuses an absurd fee unless it is allowed', async () => {
  const hex = payment((tx) => ({ ...tx, outputs: tx.outputs.slice(0, 1) }));
  expect(await errorOf(node, 'sendrawtransaction', hex)).toMatch(
    new RegExp(`^-25 AcceptToMemoryPool: absurdly high fees ${idOf(hex)}, \\d+ > \\d+$`),
  );
  expect(await errorOf(node, 'sendrawtransaction', hex, false)).toMatch(/^-25 /);
});

it('takes a transaction, takes it again, and knows it once it is in a block', async () => {
  const hex = payment();
  expect(await ask(node, 'sendrawtransaction', `${hex}00ff`)).toBe(idOf(hex));
  expect(await ask(node, 'sendrawtransaction', hex)).toBe(idOf(hex));
  expect(await ask(node, 'getrawmempool')).toEqual([idOf(hex)]);
  await ask(node, 'generate', 1);
  expect(await errorOf(node, 'sendrawtransaction', hex)).toBe('-27 transaction already in block chain');
});

it('throws for what is no transaction and for other types', async () => {
  for (const method of ['sendrawtransaction', 'decoderawtransaction']) {
    for (const text of ['', 'zz', '00', 'abc', payment().slice(0, -2)]) {
      expect(await errorOf(node, method, text)).toBe('-22 TX decode failed');
    }
    expect(await errorOf(node, method, 5)).toBe('-3 Expected type string, got number');
    expect(await errorOf(node, method, null)).toBe('-3 Expected type string, got null');
    expect(await errorOf(node, method, [])).toBe('-3 Expected type string, got array');
  }
  expect(await errorOf(node, 'sendrawtransaction', 'zz', 'yes')).toBe('-3 Expected type bool, got string');
});
