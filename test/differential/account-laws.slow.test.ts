import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANVIL } from '../support/evm/anvil.ts';
import { describeWith } from '../support/optional-part.ts';
import { action, turn } from './account-laws/actions.ts';
import { LawNode } from './account-laws/anvil.ts';
import { Batch, type World } from './account-laws/batch.ts';
import { DIFFERENCES } from './account-laws/differences.ts';
import type { Book, Draft } from './account-laws/draft.ts';
import { playLaws, tell, unnamed } from './law-frame.ts';

/** `SWAPFOLD_LAWS=2000` for the count that releases are held to: some minutes. */
const SEQUENCES = Number(process.env['SWAPFOLD_LAWS'] ?? 100);
const SEED = Number(process.env['SWAPFOLD_SEED'] ?? 1);
/** A busy machine takes half a second for a sequence. */
const TIMEOUT = Math.max(900_000, SEQUENCES * 4000);
const EACH = Math.min(25, SEQUENCES);

/** What both chains say, and must say often enough to show something. */
const VERDICTS = ['sent', 'known', 'confirmed', 'invalid', 'feeTooLow', 'insufficientFunds', 'nonceUsed', 'nonceGap'];
/** In which they differ, and why: `account-laws/differences.ts`. */
const NAMED = DIFFERENCES.map(({ name }) => name);

/** Rewards that the contract takes, by their numbers and whether they are sent on a claim. */
const REWARDED = ['claim', 'refund'].flatMap((kind) =>
  ['0', '0+', '1', '1+', '2', '3'].map((target) => `${kind} for somebody else, reward to ${target}`),
);

/** An end that somebody else made for a party; empty for all others. */
function endFor({ by, call }: Draft, { agreed }: Book): string {
  if (call.kind === 'transfer' || call.kind === 'payment' || call.forParty === null) return '';
  const { owner } = call.forParty;
  const reward = agreed[call.agreed]?.reward;
  if (by === owner || reward === undefined || reward === null) return '';
  return `${call.kind} for somebody else, reward to ${reward.target}${reward.onClaim ? '+' : ''}`;
}

const plan = fc.record({
  turns: fc.array(turn, { minLength: 9, maxLength: 13 }),
  sequences: fc.array(fc.array(action, { minLength: 24, maxLength: 36 }), { minLength: EACH, maxLength: EACH }),
});

describeWith(ANVIL, 'the laws of the simulated chain with accounts', () => {
  let world: World;

  beforeAll(async () => {
    const node = await LawNode.start();
    world = { node, now: node.now, batches: 0 };
  }, 120_000);
  afterAll(() => world?.node.stop());

  it(
    'are those of anvil with our contract, over generated sequences of actions',
    async () => {
      const ends = new Map<string, number>();
      const count = (end: string): void => void ends.set(end, (ends.get(end) ?? 0) + 1);
      const tally = await playLaws({
        plans: fc.sample(plan, { seed: SEED, numRuns: Math.ceil(SEQUENCES / EACH) }),
        begin: (drawn) => Batch.begin(world, drawn),
        ended: ({ book }) => {
          for (const [agreed] of book.agreed.entries())
            count(['none', 'paid', 'claimed', 'refunded'][book.kept(agreed)] ?? '');
          for (const [tx, { at, failed }] of book.places.entries()) {
            if (at === null || at === 0) continue;
            const draft = book.drafts[tx];
            count(failed ? 'reverted' : draft === undefined ? '' : endFor(draft, book));
          }
        },
      });
      tell(tally, Object.fromEntries(ends));
      expect(tally.findings).toEqual([]);
      for (const verdict of VERDICTS) expect(tally.verdicts.get(verdict) ?? 0, verdict).toBeGreaterThan(3);
      for (const end of ['paid', 'claimed', 'refunded', 'reverted']) expect(ends.get(end) ?? 0, end).toBeGreaterThan(3);
      // Each row of the table of rewards, by somebody who is not the party.
      for (const end of REWARDED) expect(ends.get(end) ?? 0, end).toBeGreaterThan(0);
      // Neither chain said anything for which there is no name.
      expect(unnamed(tally, [...VERDICTS, ...NAMED])).toEqual([]);
      expect(tally.apart).toBe(0);
    },
    TIMEOUT,
  );
});
