import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANVIL } from '../support/evm/anvil.ts';
import { describeWith } from '../support/optional-part.ts';
import { action, turn } from './account-laws/actions.ts';
import { LawNode } from './account-laws/anvil.ts';
import { Batch, type World } from './account-laws/batch.ts';
import { DIFFERENCES } from './account-laws/differences.ts';
import type { Finding } from './account-laws/sequence.ts';

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
      const verdicts = new Map<string, number>();
      const ends = new Map<string, number>();
      const turns: Record<string, number> = {};
      const findings: Finding[] = [];
      let apart = 0;
      for (const drawn of fc.sample(plan, { seed: SEED, numRuns: Math.ceil(SEQUENCES / EACH) })) {
        const batch = await Batch.begin(world, drawn);
        for (const each of drawn.turns) {
          turns[each.turn] = (turns[each.turn] ?? 0) + 1;
          await batch.round(each);
        }
        await batch.end();
        for (const sequence of batch.sequences) {
          for (const [name, count] of sequence.verdicts) verdicts.set(name, (verdicts.get(name) ?? 0) + count);
          for (const [agreed] of sequence.book.agreed.entries()) {
            const kept = ['none', 'paid', 'claimed', 'refunded'][sequence.book.kept(agreed)] ?? '';
            ends.set(kept, (ends.get(kept) ?? 0) + 1);
          }
          for (const { at, failed } of sequence.book.places)
            if (at !== null && at > 0 && failed) ends.set('reverted', (ends.get('reverted') ?? 0) + 1);
          findings.push(...sequence.findings);
          if (sequence.apart) apart += 1;
        }
      }
      if (process.env['SWAPFOLD_LAWS'] !== undefined) {
        const told = { ...Object.fromEntries([...verdicts].sort()), ...Object.fromEntries(ends), turns, apart };
        process.stdout.write(`${JSON.stringify(told)}\n`);
      }
      expect(findings).toEqual([]);
      for (const verdict of VERDICTS) expect(verdicts.get(verdict) ?? 0, verdict).toBeGreaterThan(3);
      for (const end of ['paid', 'claimed', 'refunded', 'reverted']) expect(ends.get(end) ?? 0, end).toBeGreaterThan(3);
      // Neither chain said anything for which there is no name.
      expect([...verdicts.keys()].filter((name) => !VERDICTS.includes(name) && !NAMED.includes(name))).toEqual([]);
      expect(apart).toBe(0);
    },
    TIMEOUT,
  );
});
