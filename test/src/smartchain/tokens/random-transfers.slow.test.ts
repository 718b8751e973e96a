import { expect, it } from 'vitest';
import { xorshift32 } from '../../../../src/sim/xorshift.ts';
import { ownerKey, scriptOwner } from '../../../../src/smartchain/chain/script-owner.ts';
import { heldTokens } from '../../../../src/smartchain/chain/token-index.ts';
import type { SpendableCoin } from '../../../../src/smartchain/wallet/choose-coins.ts';
import { tokenOutputScript } from '../../../../src/smartchain/wallet/token-transactions.ts';
import { type Drawn, type Holding, TokenDraws } from '../../../support/random-tokens.ts';
import {
  answerOf,
  coinAt,
  largestCoin,
  mineBlocks,
  scriptOf,
  spend,
  submit,
  testChain,
} from '../../../support/smart-chain.ts';

const EACH = 2_000;
const CREATIONS = 40;
const PER_BLOCK = 50;
const SEED = Number(process.env['SWAPFOLD_SEED'] ?? 1);

/** A chain on which every key has many coins of its own. */
async function fundedChain() {
  const params = { reward: 500_000_000n };
  const test = await testChain({ params, policy: { standardOnly: false, minRelayFee: 0n } });
  await mineBlocks(test, 2);
  const [first] = test.keys;
  const coin = largestCoin(test, first);
  const share = (coin.output.value - 100_000n) / BigInt(3 * PER_BLOCK);
  const outputs = Array.from({ length: 3 * PER_BLOCK }, (_, index) => {
    return { value: share, script: scriptOf(test.keys[index % 3] ?? first) };
  });
  const split = submit(test, spend(test, { coins: [coin], outputs }));
  await mineBlocks(test, 1);
  return { test, coins: outputs.map((_, vout) => coinAt(split, vout)) };
}

it(`T2, T3: of ${EACH} good and ${EACH} bad token transactions each gets the answer that it was drawn with`, async () => {
  const { test, coins } = await fundedChain();
  const rng = xorshift32(SEED);
  const draws = new TokenDraws(test, rng);
  const tokens: Holding[] = [];
  const dead: Holding[] = [];
  const counts = new Map<string, number>();
  const wrong: (readonly [string, string, string])[] = [];
  const take = (drawn: Drawn) => {
    const answer = answerOf(test.chain.submit(drawn.transaction, { allowHighFees: true }));
    counts.set(drawn.kind, (counts.get(drawn.kind) ?? 0) + 1);
    if (answer !== drawn.expected) wrong.push([drawn.kind, answer, drawn.expected]);
    return drawn;
  };
  const kept = (drawn: Drawn) => {
    for (const made of drawn.made) (made.owner < 0 ? dead : tokens).push(made);
  };
  let [good, bad] = [0, 0];
  while (good < EACH || bad < EACH) {
    const block = good === 0 ? CREATIONS : PER_BLOCK;
    const used = new Set<Holding>();
    const drawn: Drawn[] = [];
    for (let index = 0; index < block && (good < EACH || tokens.length > 0); index++) {
      const paying = coins[index] as SpendableCoin;
      const payer = index % 3;
      const free = tokens.filter((each) => !used.has(each));
      const from = rng.below(free.length);
      const rotated = [...free.slice(from), ...free.slice(0, from)];
      if (rotated.length > 0 && bad < EACH) {
        take(draws.invalid({ paying, payer, tokens: rotated }));
        bad++;
      }
      if (good >= EACH) continue;
      const fewer = rotated.length < 60;
      const next = take(fewer ? draws.creation({ paying, payer }) : draws.valid({ paying, payer, tokens: rotated }));
      good++;
      drawn.push(next);
      coins[index] = coinAt(next.transaction, next.kind === 'creation' ? 2 : 0);
      const spent = new Set(next.transaction.transaction.inputs.map(({ txid, vout }) => `${txid}:${vout}`));
      for (const each of rotated) if (spent.has(`${each.coin.txid}:${each.coin.vout}`)) used.add(each);
    }
    await mineBlocks(test, 1);
    expect(test.chain.mempool().entries.size).toBe(0);
    const left = tokens.filter((each) => !used.has(each));
    tokens.splice(0, tokens.length, ...left);
    for (const each of drawn) kept(each);
  }
  expect(wrong).toEqual([]);
  expect(bad).toBe(EACH);
  expect(good).toBe(EACH);
  expect(Math.min(...counts.values())).toBeGreaterThan(20);
  expectHeld();

  /** What the ledger says of every key and token is what was drawn. */
  function expectHeld() {
    const sums = new Map<string, bigint>();
    for (const { owner, tokenId, amount, bound } of tokens) {
      const script = tokenOutputScript(bound, (test.keys[owner] ?? test.keys[0]).publicKey);
      const place = scriptOwner(script);
      const name = `${tokenId}/${place === undefined ? '' : ownerKey(place)}`;
      sums.set(name, (sums.get(name) ?? 0n) + amount);
    }
    const index = test.chain.tree.ledger.tokens;
    const shown = [...sums.keys()].map((name) => {
      const [tokenId = '', owner = ''] = name.split('/');
      return [name, heldTokens(index, tokenId, owner).balance];
    });
    expect(shown).toEqual([...sums]);
    const all = [...index.values()].reduce((total, { balance }) => total + balance, 0n);
    const drawn = [...tokens, ...dead].reduce((total, { amount }) => total + amount, 0n);
    expect(all).toBe(drawn);
  }
});
