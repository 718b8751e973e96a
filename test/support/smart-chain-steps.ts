import fc from 'fast-check';
import { expect } from 'vitest';
import { hash160 } from '../../src/primitives/hash.ts';
import { ownerKey, scriptOwner } from '../../src/smartchain/chain/script-owner.ts';
import { heldTokens } from '../../src/smartchain/chain/token-index.ts';
import type { BlockNode } from '../../src/smartchain/chain/tree.ts';
import { DEAD_KEY } from '../../src/smartchain/tokens/scripts.ts';
import type { WalletKey } from '../../src/smartchain/wallet/keyring.ts';
import {
  type Built,
  buildCreate,
  buildTransfer,
  tokenOutputScript,
} from '../../src/smartchain/wallet/token-transactions.ts';
import { ledgerDigest, rebuiltLedger } from './ledger-digest.ts';
import {
  blockOn,
  largestCoin,
  makerOf,
  mineBlocks,
  scriptOf,
  spend,
  submit,
  type TestChain,
  testChain,
} from './smart-chain.ts';
import { expectBalances, expectNoDoubleSpend, expectSupplies } from './smart-chain-recount.ts';

const KINDS = [
  'pay',
  'create',
  'transfer',
  'transfer',
  'burn',
  'mine',
  'mine',
  'branch',
  'invalidate',
  'reconsider',
  'restart',
] as const;

/** One step of a chain's life. The numbers choose among whatever is there when it is taken. */
export type ChainStep = { readonly kind: (typeof KINDS)[number]; readonly which: number; readonly much: number };

export const chainStep: fc.Arbitrary<ChainStep> = fc.record({
  kind: fc.constantFrom(...KINDS),
  which: fc.nat(1_000_000),
  much: fc.nat(1_000_000),
});

const bytes = (text: string) => new TextEncoder().encode(text);

/** Takes a step; where nothing is there to take it with, nothing happens. */
export async function takeStep(test: TestChain, step: ChainStep): Promise<void> {
  const { chain, keys } = test;
  const { which, much } = step;
  const key = keys[which % keys.length] as WalletKey;
  switch (step.kind) {
    case 'pay':
      pay(test, { from: key, to: keys[much % keys.length] as WalletKey, share: BigInt(much) });
      return;
    case 'create': {
      const bound = much % 3 === 0;
      const data = bound ? { data: Uint8Array.of(0xf7, which & 0xff, much & 0xff) } : {};
      const supply = bound ? 1n : BigInt(1 + (much % 5000));
      const name = bytes(`T${which % 1000}`);
      submitIfBuilt(test, buildCreate(makerOf(test, key), { name, supply, description: bytes(''), ...data }));
      return;
    }
    case 'transfer':
    case 'burn':
      transfer(test, step);
      return;
    case 'mine':
      await chain.mine({ script: scriptOf(key) });
      return;
    case 'branch': {
      const parent = ancestor(chain.tree.tip as BlockNode, much % 4);
      const block = blockOn(parent, chain);
      const answer = await chain.submitBlock(block);
      expect('refused' in answer).toBe(false);
      const child = blockOn(chain.tree.nodes.get(block.hash) as BlockNode, chain);
      if (which % 2 === 0) await chain.submitBlock(child);
      return;
    }
    case 'invalidate':
      await chain.mark(ancestor(chain.tree.tip as BlockNode, much % 5), 'invalid');
      return;
    case 'reconsider': {
      const failed = [...chain.tree.nodes.values()].filter((node) => node.failed);
      const node = failed[much % Math.max(failed.length, 1)];
      if (node !== undefined) await chain.mark(node, 'valid');
      return;
    }
    case 'restart': {
      const before = ledgerDigest(chain.tree.ledger);
      const again = await test.restart();
      expect(ledgerDigest(again.tree.ledger)).toBe(before);
    }
  }
}

/** So many blocks up; never the first three, out of which the keys are paid. */
function ancestor(tip: BlockNode, up: number): BlockNode {
  let node = tip;
  for (let left = up; left > 0 && node.parent !== undefined && node.height > 4; left--) node = node.parent;
  return node;
}

function pay(test: TestChain, { from, to, share }: { from: WalletKey; to: WalletKey; share: bigint }): void {
  const coin = coinOrNone(test, from);
  if (coin === undefined || coin.output.value < 5_000n) return;
  const { value } = coin.output;
  const first = 1_000n + (share % (value / 2n));
  const outputs = [
    { value: first, script: scriptOf(to) },
    { value: value - first - 1_000n, script: scriptOf(from) },
  ];
  submit(test, spend(test, { coins: [coin], outputs }));
}

function coinOrNone(test: TestChain, key: WalletKey) {
  const owned = test.chain.tree.ledger.addresses.get(ownerKey({ kind: 'key', hash: hash160(key.publicKey) }));
  if (owned === undefined) return undefined;
  try {
    return largestCoin(test, key);
  } catch {
    return undefined;
  }
}

function transfer(test: TestChain, { kind, which, much }: ChainStep): void {
  const held = holdings(test);
  const chosen = held[which % Math.max(held.length, 1)];
  if (chosen === undefined) return;
  const { tokenId, key, balance } = chosen;
  const amount = 1n + (BigInt(much) % balance);
  const recipient = kind === 'burn' ? DEAD_KEY : (test.keys[much % test.keys.length] as WalletKey).publicKey;
  submitIfBuilt(test, buildTransfer(makerOf(test, key), { tokenId, recipient, amount }));
}

/** What tokens the keys hold. */
function holdings({ chain, keys }: TestChain) {
  const { transactions, tokens } = chain.tree.ledger;
  return [...transactions.values()].flatMap(({ token }) =>
    token?.kind !== 'create'
      ? []
      : keys.flatMap((key) => {
          const owner = scriptOwner(tokenOutputScript(token.boundEval, key.publicKey));
          const { balance } = heldTokens(tokens, token.tokenId, owner === undefined ? '' : ownerKey(owner));
          return balance === 0n ? [] : [{ tokenId: token.tokenId, key, balance }];
        }),
  );
}

/** A chain on which each key has coins and the first one tokens. */
export async function livelyChain(options: Parameters<typeof testChain>[0] = {}): Promise<TestChain> {
  const test = await testChain(options);
  await mineBlocks(test, 4);
  const [a, b, c] = test.keys;
  const coin = largestCoin(test, a);
  const outputs = [a, b, c].map((key) => ({ value: coin.output.value / 3n - 1_000n, script: scriptOf(key) }));
  submit(test, spend(test, { coins: [coin], outputs }));
  await mineBlocks(test, 1);
  submitIfBuilt(test, buildCreate(makerOf(test, a), { name: bytes('T'), supply: 1_000n, description: bytes('') }));
  await mineBlocks(test, 1);
  return test;
}

function submitIfBuilt(test: TestChain, built: Built): void {
  if ('error' in built) return;
  expect(built.unsigned).toEqual([]);
  const answer = test.chain.submit(built.built);
  // Coins that wait may build on too many others that wait.
  if ('refused' in answer) expect(JSON.stringify(answer.refused)).toContain('too-long-mempool-chain');
}

/** All that must hold between any two steps. */
export function expectWhole({ chain }: TestChain): void {
  const { ledger } = chain.tree;
  expect(ledgerDigest(ledger)).toBe(ledgerDigest(rebuiltLedger(ledger)));
  expectBalances(ledger);
  expectSupplies(ledger);
  expectNoDoubleSpend(chain);
}
