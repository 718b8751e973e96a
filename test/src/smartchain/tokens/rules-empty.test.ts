import { describe, expect, it } from 'vitest';
import type { TransactionOutput } from '../../../../src/htlc/transaction.ts';
import { hexToBytes } from '../../../../src/primitives/hex.ts';
import { tokenSource } from '../../../../src/smartchain/chain/ledger.ts';
import { tokenMoveOf } from '../../../../src/smartchain/tokens/move.ts';
import { payloadScript, readPayload, type TokenPayload } from '../../../../src/smartchain/tokens/payload.ts';
import { boundTokenScript, DEAD_KEY, tokenScript } from '../../../../src/smartchain/tokens/scripts.ts';
import { tokenBalance } from '../../../../src/smartchain/wallet/token-balance.ts';
import { buildCreate, buildTransfer, tokenOutputScript } from '../../../../src/smartchain/wallet/token-transactions.ts';
import {
  answerOf,
  builtOf,
  coinAt,
  largestCoin,
  makerOf,
  mineBlocks,
  scriptOf,
  spend,
  submit,
  testChain,
} from '../../../support/smart-chain.ts';
import { tokenSpendFault } from '../../../support/token-spend.ts';

const none = new Uint8Array(0);

async function withToken(data: Uint8Array | undefined) {
  const test = await testChain();
  await mineBlocks(test, 6);
  const [a, b] = test.keys;
  const bound = data === undefined ? {} : { data };
  const supply = data === undefined ? 10n : 1n;
  const created = submit(
    test,
    builtOf(buildCreate(makerOf(test, a), { name: Uint8Array.of(65), supply, description: none, ...bound })),
  );
  await mineBlocks(test, 1);
  const move = (
    vouts: readonly number[],
    outputs: readonly TransactionOutput[],
    payload: Partial<TokenPayload> = {},
  ) => {
    const coin = largestCoin(test, a);
    const change = { value: coin.output.value - 20_000n, script: scriptOf(a) };
    const last = payloadScript({
      kind: 'transfer',
      tokenId: created.txid,
      keys: [b.publicKey],
      blobs: [],
      ...payload,
    } as TokenPayload);
    const coins = [coin, ...vouts.map((vout) => coinAt(created, vout))];
    return spend(test, { coins, outputs: [change, ...outputs, { value: 0n, script: last }] });
  };
  return { test, a, b, id: created.txid, move };
}

describe('outputs without value', () => {
  it('T2: are not tokens, so nobody can fill somebody else’s wallet with them', async () => {
    const { test, a, b, id, move } = await withToken(undefined);
    const script = tokenOutputScript(undefined, b.publicKey);
    const empty = new Array<TransactionOutput>(70).fill({ value: 0n, script });
    submit(test, move([1], [...empty, { value: 10n, script }]));
    await mineBlocks(test, 1);
    expect(tokenBalance(test.chain, { tokenId: id, key: b.publicKey })).toBe(10n);
    const coin = largestCoin(test, a);
    submit(
      test,
      spend(test, { coins: [coin], outputs: [{ value: coin.output.value - 20_000n, script: scriptOf(b) }] }),
    );
    await mineBlocks(test, 1);
    const sent = builtOf(buildTransfer(makerOf(test, b), { tokenId: id, recipient: a.publicKey, amount: 5n }));
    submit(test, sent);
    await mineBlocks(test, 1);
    expect(tokenBalance(test.chain, { tokenId: id, key: a.publicKey })).toBe(5n);
  });

  it('T4: burn nothing, so they keep no marker in its place', async () => {
    const { test, a, move } = await withToken(undefined);
    const kept = { value: 10n, script: tokenScript([a.publicKey]) };
    const dead = (value: bigint) => ({ value, script: tokenScript([DEAD_KEY]) });
    const lookup = tokenSource(test.chain.tree.ledger);
    expect(tokenSpendFault(move([0, 1], [dead(0n), kept]), lookup)).toBeUndefined();
    expect(tokenSpendFault(move([0, 1], [dead(10n)], { keys: [DEAD_KEY] }), lookup)).toContain('the marker');
  });
});

describe('a token that is bound to a module', () => {
  it.each([
    ['the token module', [0x12, 1, 0xf2], (key: Uint8Array) => tokenScript([key])],
    ['another one', [0x12, 2, 0xe5, 1], (key: Uint8Array) => boundTokenScript(0xe5, [key])],
  ])(
    'T2: does not leave it for %s, whatever blob the transfer carries',
    async (_, [blobId = 0, , ...data], scriptFor) => {
      const { test, b, move } = await withToken(Uint8Array.of(0xf7, 1));
      const blobs = [{ id: blobId, data: Uint8Array.from(data) }];
      const left = move([1], [{ value: 1n, script: scriptFor(b.publicKey) }], { blobs });
      expect(answerOf(test.chain.submit(left))).toContain('mandatory-script-verify-flag-failed');
    },
  );
});

describe('a transfer', () => {
  it('uses the module of its output from the first blob that is a module’s, past proofs and imports', async () => {
    const { test, b, move } = await withToken(undefined);
    const lookup = tokenSource(test.chain.tree.ledger);
    const under = (code: number, blobs: TokenPayload['blobs']) => {
      const moved = move([1], [{ value: 10n, script: boundTokenScript(code, [b.publicKey]) }], { blobs });
      return tokenMoveOf(moved, lookup)?.amount;
    };
    const proof = { id: 0x80, data: Uint8Array.of(0xe2, 1) };
    const channel = { id: 0x14, data: Uint8Array.of(0xeb, 2) };
    expect(under(0xeb, [channel])).toBe(10n);
    expect(under(0xeb, [proof, channel])).toBe(10n);
    expect(under(0xeb, [{ ...proof, id: 0x7f }, channel])).toBeUndefined();
    expect(under(0xe2, [proof, channel])).toBeUndefined();
    expect(under(0xe2, [{ ...proof, id: 0x7f }, channel])).toBe(10n);
  });

  it('with an empty key names nobody: its tokens return to their sender, and to nobody else', async () => {
    const { test, a, b, id, move } = await withToken(undefined);
    const nobody = { keys: [none] };
    const away = move([1], [{ value: 10n, script: tokenScript([b.publicKey]) }], nobody);
    expect(answerOf(test.chain.submit(away))).toContain('mandatory-script-verify-flag-failed');
    submit(test, move([1], [{ value: 10n, script: tokenScript([a.publicKey]) }], nobody));
    await mineBlocks(test, 1);
    expect(tokenBalance(test.chain, { tokenId: id, key: a.publicKey })).toBe(10n);
  });
});

it('a payload may be as long as the chain accepts, and longer', () => {
  const payload: TokenPayload = {
    kind: 'create',
    owner: hexToBytes(`02${'11'.repeat(32)}`),
    name: Uint8Array.of(65),
    description: new Uint8Array(4096).fill(66),
    blobs: [{ id: 0x11, data: new Uint8Array(10_001).fill(7) }],
  };
  expect(readPayload(payloadScript(payload))).toEqual(payload);
});

describe('a chain without crypto-conditions', () => {
  it('neither takes outputs with them nor counts tokens', async () => {
    const test = await testChain({ params: { cryptoConditions: false } });
    await mineBlocks(test, 4);
    const made = builtOf(
      buildCreate(makerOf(test, test.keys[0]), { name: Uint8Array.of(65), supply: 5n, description: none }),
    );
    expect(answerOf(test.chain.submit(made))).toBe('64: scriptpubkey');
    const open = await testChain({ params: { cryptoConditions: false }, policy: { standardOnly: false } });
    await mineBlocks(open, 4);
    const taken = submit(
      open,
      builtOf(buildCreate(makerOf(open, open.keys[0]), { name: Uint8Array.of(65), supply: 5n, description: none })),
    );
    await mineBlocks(open, 1);
    expect(open.chain.tree.ledger.tokens.size).toBe(0);
    const spent = spend(open, { coins: [coinAt(taken, 1)], outputs: [{ value: 1n, script: scriptOf(open.keys[0]) }] });
    expect(answerOf(open.chain.submit(spent))).toContain('mandatory-script-verify-flag-failed');
  });
});

describe('what a program hands over', () => {
  it('W1: is refused under an id that is not its own', async () => {
    const { test, a, move } = await withToken(undefined);
    const good = move([], []);
    submit(test, good);
    const coin = largestCoin(test, a);
    const forged = {
      ...spend(test, { coins: [coin], outputs: [{ value: 1n, script: scriptOf(a) }] }),
      txid: good.txid,
    };
    expect(() => test.chain.submit(forged)).toThrow('[SMARTCHAIN_TRANSACTION_INVALID]');
    const block = await mineBlocks(test, 1);
    const parent = test.chain.tree.nodes.get(block.hash);
    expect(parent?.height).toBe(8);
    expect(answerOf(await test.chain.submitBlock({ ...block, hash: '0'.repeat(64) }))).toBe('16: bad-block-bytes');
    await test.restart();
  });
});
