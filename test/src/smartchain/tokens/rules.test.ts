import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TransactionOutput } from '../../../../src/htlc/transaction.ts';
import { tokenSource } from '../../../../src/smartchain/chain/ledger.ts';
import { DEFAULT_PARAMS } from '../../../../src/smartchain/params.ts';
import { conditionScript, tokenCondition } from '../../../../src/smartchain/script/condition-scripts.ts';
import { tokenMoveOf } from '../../../../src/smartchain/tokens/move.ts';
import { payloadScript, type TokenPayload } from '../../../../src/smartchain/tokens/payload.ts';
import { boundTokenScript, DEAD_KEY, tokenScript } from '../../../../src/smartchain/tokens/scripts.ts';
import { buildCreate, tokenOutputScript } from '../../../../src/smartchain/wallet/token-transactions.ts';
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
const REFUSED =
  '16: mandatory-script-verify-flag-failed (Script evaluated without error but finished with a false/empty top stack element)';
const payloadOutput = (payload: TokenPayload): TransactionOutput => ({ value: 0n, script: payloadScript(payload) });

/** A chain with 1,000 fungible tokens of the first key, and a second kind of them. */
const withTokens = async (data?: Uint8Array, passiveEvals = [0xf7]) => {
  // The rules of the chain are asked, and not what nodes relay.
  const test = await testChain({ params: { passiveEvals }, policy: { standardOnly: false } });
  await mineBlocks(test, 8);
  const [a, b, c] = test.keys;
  const supply = data === undefined ? 1_000n : 1n;
  const options = { name: Uint8Array.of(65), supply, description: none, ...(data === undefined ? {} : { data }) };
  const created = submit(test, builtOf(buildCreate(makerOf(test, a), options)));
  await mineBlocks(test, 1);
  const other = submit(
    test,
    builtOf(buildCreate(makerOf(test, a), { name: Uint8Array.of(66), supply: 50n, description: none })),
  );
  await mineBlocks(test, 1);
  const lookup = tokenSource(test.chain.tree.ledger);
  const tokenId = created.txid;
  const to = (keys: readonly Uint8Array[], id = tokenId) =>
    payloadOutput({ kind: 'transfer', tokenId: id, keys, blobs: [] });
  /** Spends outputs of the creation, and a coin for the fee. */
  const move = (vouts: readonly number[], outputs: readonly TransactionOutput[], source = created) => {
    const coin = largestCoin(test, a);
    const change = { value: coin.output.value - 20_000n, script: scriptOf(a) };
    return spend(test, { coins: [coin, ...vouts.map((vout) => coinAt(source, vout))], outputs: [change, ...outputs] });
  };
  const judged = (each: ReturnType<typeof move>) => [
    tokenSpendFault(each, lookup),
    tokenMoveOf(each, lookup)?.amount,
    answerOf(test.chain.submit(each)),
  ];
  return { test, a, b, c, created, other, lookup, tokenId, to, move, judged };
};

describe('T1: a creation gives tokens no further than coins of its owner went in', () => {
  const creating = async (value: bigint, ownerIndex: number) => {
    const test = await testChain();
    await mineBlocks(test, 3);
    const [a, b] = test.keys;
    const owner = [a, b][ownerIndex]?.publicKey ?? none;
    const coin = largestCoin(test, a);
    const payload = payloadOutput({ kind: 'create', owner, name: none, description: none, blobs: [] });
    const made = spend(test, {
      coins: [coin],
      outputs: [
        { value, script: tokenScript([owner]) },
        { value: coin.output.value - value - 1_000n, script: scriptOf(a) },
        payload,
      ],
    });
    submit(test, made);
    await mineBlocks(test, 1);
    return test.chain.tree.ledger.transactions.get(made.txid)?.token;
  };

  it('coins of the owner make tokens, those of anybody else do not', async () => {
    expect(await creating(500n, 0)).toMatchObject({ kind: 'create', amount: 500n, boundEval: undefined });
    expect(await creating(500n, 1)).toBeUndefined();
  });

  it('tokens that go in are no coins: a creation cannot turn them into others', async () => {
    const { a, created, move, judged } = await withTokens();
    const payload = payloadOutput({ kind: 'create', owner: a.publicKey, name: none, description: none, blobs: [] });
    const forged = move([1], [{ value: 1_000n, script: tokenScript([a.publicKey]) }, payload]);
    expect(judged(forged)[0]).toBe('a creation cannot spend tokens');
    expect(judged(forged)[2]).toBe(REFUSED);
    expect(created.txid).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('T2, T3: a transfer gives exactly what went in, or it spends nothing', () => {
  it('any transfer is accepted when the sums agree and refused when they do not', async () => {
    const { a, b, c, to, move, lookup } = await withTokens();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 1_100 }),
        fc.integer({ min: 0, max: 1_100 }),
        fc.integer({ min: 0, max: 300 }),
        async (sent, kept, astray) => {
          const outputs = [
            { value: BigInt(sent), script: tokenScript([b.publicKey]) },
            { value: BigInt(kept), script: tokenScript([a.publicKey]) },
            { value: BigInt(astray), script: tokenScript([c.publicKey]) },
          ];
          const moved = move([1], [...outputs, to([b.publicKey])]);
          const good = sent + kept === 1_000;
          expect(tokenMoveOf(moved, lookup)?.amount).toBe(good ? 1_000n : undefined);
          expect(tokenSpendFault(moved, lookup) === undefined).toBe(good);
        },
      ),
      {
        numRuns: 40,
        examples: [
          [300, 700, 0],
          [1_000, 0, 300],
          [300, 600, 100],
          [0, 0, 0],
        ],
      },
    );
  });

  it('what goes to a key that the payload does not name is no token, and the sum misses it', async () => {
    const { b, c, to, move, judged } = await withTokens();
    const astray = move([1], [{ value: 1_000n, script: tokenScript([c.publicKey]) }, to([b.publicKey])]);
    expect(judged(astray)).toEqual(['the tokens of the inputs are not the tokens of the outputs', undefined, REFUSED]);
    const either = move(
      [1],
      [{ value: 1_000n, script: tokenScript([b.publicKey, c.publicKey]) }, to([b.publicKey, c.publicKey])],
    );
    expect(judged(either)).toEqual([undefined, 1_000n, 'taken']);
  });

  it('without tokens that go in nothing comes out, whatever the payload says', async () => {
    const { test, b, to, move, tokenId } = await withTokens();
    const fake = submit(test, move([], [{ value: 700n, script: tokenScript([b.publicKey]) }, to([b.publicKey])]));
    await mineBlocks(test, 1);
    expect(test.chain.tree.ledger.transactions.get(fake.txid)?.token).toBeUndefined();
    const held = [...test.chain.tree.ledger.tokens].map(([key, { balance }]) => `${key.slice(0, 64)} ${balance}`);
    expect(held.filter((text) => text.startsWith(tokenId))).toEqual([`${tokenId} 1000`]);
    const again = spend(test, {
      coins: [largestCoin(test, test.keys[0]), coinAt(fake, 1)],
      outputs: [
        { value: 10_000n, script: scriptOf(b) },
        { value: 700n, script: tokenScript([b.publicKey]) },
        to([b.publicKey]),
      ],
    });
    expect(answerOf(test.chain.submit(again, { allowHighFees: true }))).toBe(REFUSED);
  });

  it('another id, an unknown id, no payload, or tokens of two ids: nothing is spent', async () => {
    const { test, b, to, move, judged, other, created, a } = await withTokens();
    const sent = { value: 1_000n, script: tokenScript([b.publicKey]) };
    const mismatch = 'the tokens of the inputs are not the tokens of the outputs';
    expect(judged(move([1], [sent, to([b.publicKey], other.txid)]))).toEqual([mismatch, undefined, REFUSED]);
    const unknown = judged(move([1], [sent, to([b.publicKey], '1'.repeat(64))]));
    expect(unknown).toEqual(['no token was created under the id', undefined, REFUSED]);
    expect(judged(move([1], [sent]))).toEqual(['the last output carries no token payload', undefined, REFUSED]);
    const coin = largestCoin(test, a);
    const both = spend(test, {
      coins: [coin, coinAt(created, 1), coinAt(other, 1)],
      outputs: [{ value: coin.output.value, script: scriptOf(a) }, sent, to([b.publicKey])],
    });
    expect(tokenSpendFault(both, tokenSource(test.chain.tree.ledger))).toBe('the inputs hold tokens of two ids');
    expect(judged(move([1], [sent, to([b.publicKey])]))).toEqual([undefined, 1_000n, 'taken']);
  });

  it('a stranger cannot sign for the owner', async () => {
    const { test, b, created, to } = await withTokens();
    const stranger = { chain: test.chain, ring: { ...test.ring, keys: new Map([...test.ring.keys].slice(1)) } };
    await test.chain.mine({ script: scriptOf(b) });
    const coin = largestCoin(test, b);
    const stolen = spend(stranger, {
      coins: [coin, coinAt(created, 1)],
      outputs: [
        { value: coin.output.value - 1_000n, script: scriptOf(b) },
        { value: 1_000n, script: tokenScript([b.publicKey]) },
        to([b.publicKey]),
      ],
    });
    expect(answerOf(test.chain.submit(stolen))).toContain('mandatory-script-verify-flag-failed');
  });
});

describe('T3: non-fungible tokens', () => {
  it('move under their own module, and under no other', async () => {
    const { b, to, move, judged } = await withTokens(Uint8Array.of(0xf7, 1));
    const mismatch = 'the tokens of the inputs are not the tokens of the outputs';
    for (const script of [
      tokenScript([b.publicKey]),
      boundTokenScript(0xe3, [b.publicKey]),
      conditionScript(tokenCondition({ evals: [0xf7], keys: [b.publicKey] })),
    ]) {
      expect(judged(move([1], [{ value: 1n, script }, to([b.publicKey])]))).toEqual([mismatch, undefined, REFUSED]);
    }
    expect(
      judged(move([1], [{ value: 1n, script: boundTokenScript(0xf7, [b.publicKey]) }, to([b.publicKey])])),
    ).toEqual([...[undefined, 1n, 'taken']]);
  });

  it('bound to the token module itself move on every chain, and to another one on none that names no passive code', async () => {
    expect(DEFAULT_PARAMS.passiveEvals).toEqual([]);
    for (const [code, verdict] of [
      [0xf2, 'taken'],
      [0xf7, REFUSED],
    ] as const) {
      const { b, to, move, judged } = await withTokens(Uint8Array.of(code, 1), []);
      const sent = move([1], [{ value: 1n, script: tokenOutputScript(code, b.publicKey) }, to([b.publicKey])]);
      expect(judged(sent)).toEqual([undefined, 1n, verdict]);
    }
  });

  it('that are bound to a missing module cannot move', async () => {
    const { test, b, to, created } = await withTokens(Uint8Array.of(0xe3, 1));
    expect(tokenOutputScript(0xf2, b.publicKey)).toEqual(tokenScript([b.publicKey]));
    const coin = largestCoin(test, test.keys[0]);
    const moved = spend(test, {
      coins: [coin, coinAt(created, 1)],
      outputs: [
        { value: coin.output.value - 1_000n, script: scriptOf(b) },
        { value: 1n, script: boundTokenScript(0xe3, [b.publicKey]) },
        to([b.publicKey]),
      ],
    });
    expect(answerOf(test.chain.submit(moved))).toContain('mandatory-script-verify-flag-failed');
  });
});

describe('T4: the marker of a creation', () => {
  it('stays when fungible tokens are burned; if nothing burns, and with a burned bound token, it may go', async () => {
    const fungible = await withTokens();
    const { b, to } = fungible;
    const sent = (key: Uint8Array, value = 1_000n) => ({ value, script: tokenScript([key]) });
    const burned = fungible.move([1, 0], [sent(DEAD_KEY), to([DEAD_KEY])]);
    const stays = 'the marker of fungible tokens stays when some are burned';
    expect(tokenSpendFault(burned, fungible.lookup)).toBe(stays);
    const partly = fungible.move([1, 0], [sent(DEAD_KEY, 1n), sent(b.publicKey, 999n), to([DEAD_KEY, b.publicKey])]);
    expect(tokenSpendFault(partly, fungible.lookup)).toBe(stays);
    // The marker of another token is as safe: the node looks at what burns, and not at whose marker it is.
    const ofOther = fungible.move([1], [sent(DEAD_KEY), to([DEAD_KEY])]);
    const marker = { txid: fungible.other.txid, vout: 0, scriptSig: none, sequence: 0xffff_ffff };
    const both = { ...ofOther.transaction, inputs: [...ofOther.transaction.inputs, marker] };
    expect(tokenSpendFault({ txid: '', transaction: both }, fungible.lookup)).toBe(stays);
    const moved = fungible.move([1, 0], [sent(b.publicKey), to([b.publicKey])]);
    expect(tokenSpendFault(moved, fungible.lookup)).toBeUndefined();
    const bound = await withTokens(Uint8Array.of(0xf7, 1));
    const nft = (key: Uint8Array) =>
      bound.move([1, 0], [{ value: 1n, script: boundTokenScript(0xf7, [key]) }, bound.to([key])]);
    expect(tokenSpendFault(nft(b.publicKey), bound.lookup)).toBeUndefined();
    expect(tokenSpendFault(nft(DEAD_KEY), bound.lookup)).toBeUndefined();
    const others = bound.move([0], [], bound.other);
    expect(tokenSpendFault(others, bound.lookup)).toBe('the last output carries no token payload');
  });

  it('is not a token: nobody gets its coins as tokens', async () => {
    const { test, created } = await withTokens();
    expect([...(test.chain.tree.ledger.transactions.get(created.txid)?.token?.outputs ?? [])]).toEqual([1]);
  });
});
