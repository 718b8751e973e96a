import { beforeAll, expect, it } from 'vitest';
import type { DecodedTransaction, TransactionInput, TransactionOutput } from '../../../../../src/htlc/transaction.ts';
import { bytesToHex, hexToBytes } from '../../../../../src/primitives/hex.ts';
import type { NodeContext } from '../../../../../src/rpc/smart-chain/context.ts';
import {
  decodeChainTransaction,
  encodeChainTransaction,
  transactionIdOf,
} from '../../../../../src/smartchain/transaction.ts';
import { buildPayment } from '../../../../../src/smartchain/wallet/send.ts';
import { signTransaction } from '../../../../../src/smartchain/wallet/sign.ts';
import { ask, errorOf, openNode } from '../method-context.ts';

let node: NodeContext;

beforeAll(async () => {
  node = await openNode({ seed: 'sender' });
  await ask(node, 'generate', 4);
});

/** A payment that is not sent, changed and signed again. */
function payment(change: (transaction: DecodedTransaction) => DecodedTransaction = (same) => same): string {
  const script = Uint8Array.of(0x76, 0xa9, 0x14, ...new Uint8Array(20).fill(3), 0x88, 0xac);
  const built = buildPayment(node, { outputs: [{ value: 1_000_000n, script }] });
  if ('fault' in built) throw new Error(built.fault);
  const changed = change(built.identified.transaction);
  const spent = changed.inputs.flatMap(({ txid, vout }) => {
    return node.chain.tree.ledger.transactions.get(txid)?.transaction.outputs[vout] ?? [];
  });
  const whole = spent.length === changed.inputs.length;
  const { ring } = node.wallet;
  return bytesToHex(encodeChainTransaction(whole ? signTransaction(changed, { spent, ring }).transaction : changed));
}

const idOf = (hex: string) => transactionIdOf(decodeChainTransaction(hexToBytes(hex))?.bytes ?? new Uint8Array(0));

it('refuses with class and reason what breaks a rule', async () => {
  const refusal = (change: (transaction: DecodedTransaction) => DecodedTransaction) =>
    errorOf(node, 'sendrawtransaction', payment(change));
  expect(await refusal((tx) => ({ ...tx, inputs: [] }))).toBe('-26 16: bad-txns-vin-empty');
  expect(await refusal((tx) => ({ ...tx, outputs: [] }))).toBe('-26 16: bad-txns-vout-empty');
  expect(await refusal((tx) => ({ ...tx, expiryHeight: 1 }))).toBe('-26 16: tx-overwinter-expired');
  const dust = (tx: DecodedTransaction) => ({ ...tx, outputs: tx.outputs.map((output) => ({ ...output, value: 1n })) });
  expect(await refusal(dust)).toBe('-26 64: dust');
  const foreign = (tx: DecodedTransaction) => ({
    ...tx,
    inputs: tx.inputs.map((input) => ({ ...input, txid: 'ab'.repeat(32) })),
  });
  expect(await refusal(foreign)).toBe('-25 Missing inputs');
  const broken = decodeChainTransaction(hexToBytes(payment()))?.transaction as DecodedTransaction;
  const unsigned = { ...broken, inputs: broken.inputs.map((input) => ({ ...input, scriptSig: Uint8Array.of(1, 1) })) };
  expect(await errorOf(node, 'sendrawtransaction', bytesToHex(encodeChainTransaction(unsigned)))).toMatch(
    /^-26 16: mandatory-script-verify-flag-failed \(/,
  );
});

const filled = (length: number) => new Uint8Array(length).fill(1);
const outputsWith = (change: Partial<TransactionOutput>) => (tx: DecodedTransaction) => ({
  ...tx,
  outputs: tx.outputs.map((output, index) => (index === 0 ? { ...output, ...change } : output)),
});
const inputsWith = (change: Partial<TransactionInput>) => (tx: DecodedTransaction) => ({
  ...tx,
  inputs: tx.inputs.map((input) => ({ ...input, ...change })),
});
const carrier = { value: 0n, script: Uint8Array.of(0x6a, 1, 1) };
const NOTHING = '0'.repeat(64);

it.each<[string, (transaction: DecodedTransaction) => DecodedTransaction]>([
  ['16: bad-txns-vout-negative', outputsWith({ value: -1n })],
  ['16: bad-txns-vout-toolarge', outputsWith({ value: 10n ** 18n })],
  ['16: bad-txns-inputs-duplicate', (tx) => ({ ...tx, inputs: [...tx.inputs, ...tx.inputs] })],
  [
    '16: bad-txns-prevout-null',
    (tx) => {
      const [input] = inputsWith({ txid: NOTHING, vout: 0xffff_ffff })(tx).inputs;
      return { ...tx, inputs: [...tx.inputs, ...(input === undefined ? [] : [input])] };
    },
  ],
  ['16: bad-txns-opret-too-big', outputsWith({ value: 0n, script: Uint8Array.of(0x6a, ...filled(10_001)) })],
  ['16: coinbase', inputsWith({ txid: NOTHING, vout: 0xffff_ffff, scriptSig: filled(5) })],
  ['16: bad-txns-in-belowout', outputsWith({ value: 2_000_000n * 100_000_000n })],
  ['16: tx-overwinter-active', (tx) => ({ ...tx, format: 'legacy', version: 1 })],
  ['16: bad-tx-expiry-height-too-high', (tx) => ({ ...tx, expiryHeight: 500_000_000 })],
  ['16: tx-overwintered-flag-not-set', (tx) => ({ ...tx, format: 'sprout', version: 4 })],
  [
    '16: bad-sapling-tx-version-group-id',
    (tx) => ({ ...tx, format: 'overwinter', version: 3, versionGroupId: 0x03c48270 }),
  ],
  ['18: bad-txns-inputs-spent', inputsWith({ vout: 77 })],
  ['64: scriptpubkey', outputsWith({ script: Uint8Array.of(0x51) })],
  // Of the shape of a condition that nobody can read.
  ['64: scriptpubkey', outputsWith({ script: Uint8Array.of(2, 0xa0, 0, 0xcc) })],
  [
    '64: scriptpubkey',
    (tx) => ({ ...tx, outputs: [{ value: 0n, script: Uint8Array.of(0x6a, 0x4c, 210, ...filled(210)) }] }),
  ],
  ['64: multi-op-return', (tx) => ({ ...tx, outputs: [...tx.outputs, carrier, carrier] })],
  ['64: scriptsig-not-pushonly', inputsWith({ txid: 'ab'.repeat(32), scriptSig: Uint8Array.of(0x76) })],
  ['64: scriptsig-size', inputsWith({ txid: 'ab'.repeat(32), scriptSig: filled(1651) })],
  ['64: non-final', (tx) => inputsWith({ sequence: 0 })({ ...tx, lockTime: 499_999_999 })],
])('refuses with -26 %s', async (reason, change) => {
  expect(await errorOf(node, 'sendrawtransaction', payment(change))).toBe(`-26 ${reason}`);
});

it.each<[string, Uint8Array]>([
  ['one value more', Uint8Array.of(1, 7)],
  ['two values more', Uint8Array.of(1, 7, 0x51)],
])('refuses an input that pushes %s than its coin takes, and gives no reason', async (_, more) => {
  const { transaction } = decodeChainTransaction(hexToBytes(payment())) as { transaction: DecodedTransaction };
  const [input] = transaction.inputs as [TransactionInput];
  const inputs = [{ ...input, scriptSig: Uint8Array.of(...more, ...input.scriptSig) }];
  const hex = bytesToHex(encodeChainTransaction({ ...transaction, inputs }));
  expect(await errorOf(node, 'sendrawtransaction', hex)).toBe('-25 ');
});

it('tells an output that a known transaction does not have from one of an unknown transaction', async () => {
  const [known] = decodeChainTransaction(hexToBytes(payment()))?.transaction.inputs ?? [];
  const refusal = (...inputs: readonly TransactionInput[]) =>
    errorOf(
      node,
      'sendrawtransaction',
      payment((tx) => ({ ...tx, inputs })),
    );
  const input = known as TransactionInput;
  expect(await refusal({ ...input, vout: 9 })).toBe('-26 18: bad-txns-inputs-spent');
  expect(await refusal({ ...input, vout: 9 }, { ...input, txid: 'ab'.repeat(32) })).toBe('-25 Missing inputs');
  expect(await refusal(input, { ...input, vout: 9 })).toBe('-26 18: bad-txns-inputs-spent');
});

it('reports coins that are immature, spent, or spent twice', async () => {
  const own = await openNode({ seed: 'young', params: { maturity: 3 } });
  await ask(own, 'generate', 5);
  const [block] = await ask(own, 'generate', 1);
  const [coinbase] = (await ask(own, 'getblock', block)).tx;
  const young = (hex: string) => {
    const transaction = decodeChainTransaction(hexToBytes(hex))?.transaction as DecodedTransaction;
    return bytesToHex(encodeChainTransaction(inputsWith({ txid: coinbase, vout: 0 })(transaction)));
  };
  expect(await errorOf(own, 'sendrawtransaction', young(payment()))).toBe(
    '-26 16: bad-txns-premature-spend-of-coinbase',
  );
  const hex = payment();
  const rival = payment((tx) => ({ ...tx, expiryHeight: (tx.expiryHeight ?? 0) + 1 }));
  await ask(node, 'sendrawtransaction', hex);
  expect(await errorOf(node, 'sendrawtransaction', rival)).toBe('-26 16: mempool conflict');
  await ask(node, 'generate', 1);
  expect(await errorOf(node, 'sendrawtransaction', rival)).toBe('-25 Missing inputs');
});

it('refuses an absurd fee unless it is allowed', async () => {
  const hex = payment((tx) => ({ ...tx, outputs: tx.outputs.slice(0, 1) }));
  expect(await errorOf(node, 'sendrawtransaction', hex)).toMatch(
    new RegExp(`^-25 AcceptToMemoryPool: absurdly high fees ${idOf(hex)}, \\d+ > \\d+$`),
  );
  expect(await errorOf(node, 'sendrawtransaction', hex, false)).toMatch(/^-25 /);
});

it('accepts a transaction, accepts it again, and recognizes it once it is in a block', async () => {
  const hex = payment();
  expect(await ask(node, 'sendrawtransaction', `${hex}00ff`)).toBe(idOf(hex));
  expect(await ask(node, 'sendrawtransaction', hex)).toBe(idOf(hex));
  expect(await ask(node, 'getrawmempool')).toEqual([idOf(hex)]);
  await ask(node, 'generate', 1);
  expect(await errorOf(node, 'sendrawtransaction', hex)).toBe('-27 transaction already in block chain');
});

it('throws for an invalid transaction and for other types', async () => {
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
