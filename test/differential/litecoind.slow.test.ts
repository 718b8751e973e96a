import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OutPoint } from '../../src/htlc/transaction-encoding.ts';
import { bytesToHex } from '../../src/primitives/hex.ts';
import { transactionIdOf } from '../../src/smartchain/transaction.ts';
import { type Answer, LITECOIND, type Litecoind, startLitecoind } from '../support/litecoind.ts';
import { describeWith } from '../support/optional-part.ts';
import { recipes } from './arbitraries.ts';
import { type Compared, DIFFERENCES, usesSequence } from './differences.ts';
import { beginChain, fund, OWNER_ADDRESS, reachedBy } from './funded-chain.ts';
import { isGoodInBlock, type View, verdictOn } from './judge.ts';
import { outputOf, spendOf } from './recipes.ts';

/** How many spends are drawn, and from which seed. */
const CASES = Number(process.env['SWAPFOLD_DIFFERENTIAL'] ?? 10_000);
const SEED = Number(process.env['SWAPFOLD_SEED'] ?? 1);
/** How many of those that are not relayed are put into blocks. */
const MINED = Math.min(1500, CASES);

describeWith(LITECOIND, `${CASES} generated spends from seed ${SEED}, against Litecoin Core`, () => {
  let node: Litecoind;
  let compared: readonly Compared[];
  let view: View;

  beforeAll(async () => {
    // Unusual scripts are let in: the rules of scripts are what is compared, and those of forms elsewhere.
    node = await startLitecoind(['-acceptnonstdtxn=1']);
    const owned = await beginChain(node);
    const { height, medianTime } = await reachedBy(node);
    const drawn = fc.sample(recipes([height, medianTime]), { numRuns: CASES, seed: SEED });
    const { outPoints, coins } = await fund(node, drawn.map(outputOf), owned);
    const reached = await reachedBy(node);
    view = { coins, moment: { height: reached.height + 1, medianTime: reached.medianTime } };
    const raws = drawn.map((recipe, index) => spendOf(recipe, outPoints[index] as OutPoint));
    const answers = await node.batch(raws.map((raw) => ['testmempoolaccept', [bytesToHex(raw)], 0]));
    compared = drawn.map((recipe, index) => {
      const raw = raws[index] as Uint8Array;
      return { recipe, raw, ours: verdictOn(raw, view), theirs: wordsOf(answers[index] as Answer) };
    });
  }, 120_000);
  afterAll(() => node?.stop());

  it('every verdict is the same, down to the reason, or differs for a listed reason', () => {
    const differing = compared.filter(({ ours, theirs }) => ours !== theirs);
    const explained = differing.map((each) => ({ each, by: DIFFERENCES.find(({ applies }) => applies(each))?.name }));
    const counts = DIFFERENCES.map(({ name }) => `${name} ${explained.filter(({ by }) => by === name).length}`);
    console.log(`${CASES - differing.length} of ${CASES} verdicts agree; differing: ${counts.join(', ')}`);
    const unexplained = explained.filter(({ by }) => by === undefined).map(({ each }) => told(each));
    expect(unexplained).toEqual([]);
  });

  it('the drawn cases are worth comparing: many spends are accepted, and every kind is both accepted and refused', () => {
    const taken = compared.filter(({ theirs }) => theirs === 'allowed');
    expect(taken.length).toBeGreaterThan(CASES / 10);
    const kinds = new Set(compared.map(({ recipe }) => recipe.kind));
    const kindsTaken = new Set(taken.map(({ recipe }) => recipe.kind));
    // Sequences are checked from version 2 on, which the smart chain writes otherwise; separators are not relayed.
    expect([...kinds].filter((kind) => !kindsTaken.has(kind)).sort()).toEqual(['separated']);
    const reasons = new Set(compared.map(({ theirs }) => theirs));
    expect(reasons.size).toBeGreaterThan(30);
  });

  it('the ids of all transactions that both can read are the same', async () => {
    const readable = compared.filter(({ ours }) => ours !== 'unreadable');
    const answers = await node.batch(readable.map(({ raw }) => ['decoderawtransaction', bytesToHex(raw)]));
    const differing = readable.flatMap((each, index) => {
      const answer = answers[index] as Answer;
      const theirs = 'result' in answer ? (answer.result as { txid: string }).txid : answer.error.message;
      return theirs === transactionIdOf(each.raw) || DIFFERENCES.some(({ applies }) => applies(each))
        ? []
        : [told(each)];
    });
    expect(differing).toEqual([]);
  });

  it(`blocks accept the same of ${MINED} spends that are not relayed`, async () => {
    const refused = compared.filter(({ ours, theirs }) => theirs !== 'allowed' && /script-verify/.test(theirs + ours));
    const chosen = refused.filter((each) => !differsInBlocks(each)).slice(0, MINED);
    const answers = await node.batch(chosen.map(({ raw }) => ['generateblock', OWNER_ADDRESS, [bytesToHex(raw)]]));
    const differing = chosen.filter(
      ({ raw }, index) => 'result' in (answers[index] as Answer) !== isGoodInBlock(raw, view),
    );
    const mined = answers.filter((answer) => 'result' in answer).length;
    console.log(`${mined} of ${chosen.length} spends that are not relayed are good in a block`);
    expect(differing.map(told)).toEqual([]);
    expect(mined).toBeGreaterThan(chosen.length / 10);
  });
});

/** Differences that matter in a block too; there OP_CHECKSEQUENCEVERIFY may lead to any other reason. */
function differsInBlocks(each: Compared): boolean {
  const names = ['version', 'witness form', 'witness program', 'most money'];
  const chosen = DIFFERENCES.filter(({ name }) => names.includes(name));
  return chosen.some(({ applies }) => applies(each)) || usesSequence(each.recipe);
}

function wordsOf(answer: Answer): string {
  if ('error' in answer) return answer.error.code === -22 ? 'unreadable' : answer.error.message;
  const [verdict] = answer.result as readonly { readonly allowed: boolean; readonly 'reject-reason'?: string }[];
  return verdict?.allowed === true ? 'allowed' : (verdict?.['reject-reason'] ?? 'refused without a reason');
}

function told({ recipe, raw, ours, theirs }: Compared) {
  return { kind: recipe.kind, ours, theirs, output: bytesToHex(outputOf(recipe)), raw: bytesToHex(raw) };
}
