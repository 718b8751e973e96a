import { expect } from 'vitest';
import type { Ledger } from '../../src/smartchain/chain/ledger.ts';
import { outPointKey } from '../../src/smartchain/chain/mempool.ts';
import { ownerKey, scriptOwner } from '../../src/smartchain/chain/script-owner.ts';
import type { SmartChain } from '../../src/smartchain/node.ts';

/** What a plain walk over the blocks leaves unspent. */
function unspentOf({ blocks }: Ledger) {
  const unspent = new Map<string, { value: bigint; script: Uint8Array }>();
  for (const { txid, transaction } of blocks.flatMap(({ transactions }) => transactions)) {
    for (const input of transaction.inputs) unspent.delete(outPointKey(input));
    for (const [vout, output] of transaction.outputs.entries()) unspent.set(`${txid}:${vout}`, output);
  }
  return unspent;
}

/** The address index holds what a recount of the blocks finds, unspent and ever received, no more and no less. */
export function expectBalances(ledger: Ledger): void {
  const counted = new Map<string, [balance: bigint, received: bigint]>();
  const count = (script: Uint8Array, [balance, received]: readonly [bigint, bigint]) => {
    const owner = scriptOwner(script);
    if (owner === undefined) return;
    const before = counted.get(ownerKey(owner)) ?? [0n, 0n];
    counted.set(ownerKey(owner), [before[0] + balance, before[1] + received]);
  };
  for (const { transaction } of ledger.blocks.flatMap(({ transactions }) => transactions)) {
    for (const { script, value } of transaction.outputs) count(script, [0n, value]);
  }
  for (const { script, value } of unspentOf(ledger).values()) count(script, [value, 0n]);
  const indexed = [...ledger.addresses].map(([owner, { balance, received }]) => [owner, [balance, received]] as const);
  expect(new Map(indexed)).toEqual(counted);
}

/** Tokens of each id that anybody holds are those of its creation, burned ones with them. */
export function expectSupplies({ transactions, tokens }: Ledger): void {
  const held = new Map<string, bigint>();
  for (const [key, { balance }] of tokens) held.set(key.slice(0, 64), (held.get(key.slice(0, 64)) ?? 0n) + balance);
  const created = [...transactions.values()].flatMap(({ txid, token }) =>
    token?.kind === 'create' ? [[txid, token.amount] as const] : [],
  );
  expect(held).toEqual(new Map(created));
}

/** No output is spent twice by what the chain and the mempool hold together, and each one that is spent exists. */
export function expectNoDoubleSpend(chain: SmartChain): void {
  const { entries, spentBy } = chain.mempool();
  const unspent = new Set(unspentOf(chain.tree.ledger).keys());
  let inputs = 0;
  let bytes = 0;
  for (const { txid, transaction, bytes: own } of entries.values()) {
    for (const [index, input] of transaction.inputs.entries()) {
      const name = outPointKey(input);
      expect(unspent.delete(name), `${name} is spent once`).toBe(true);
      expect(spentBy.get(name)).toEqual({ txid, input: index });
      inputs++;
    }
    for (const vout of transaction.outputs.keys()) unspent.add(`${txid}:${vout}`);
    bytes += own.length;
  }
  expect([spentBy.size, chain.mempool().bytes]).toEqual([inputs, bytes]);
}
