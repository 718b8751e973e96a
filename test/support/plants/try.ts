// Run from a copy of the package with one mistake in it: node try.js <stage> <from> <to>, stages as below. Prints one line of JSON with what was
// found first, or null; says on the error channel that it goes on.
import { check } from '../../../src/check/check.ts';
import { publishedBounds } from '../../../src/check/published.ts';
import { generateMarket } from '../../../src/sim/market/generate.ts';
import { runMarketScenario } from '../../../src/sim/market/simulate.ts';
import { generateScenario } from '../../../src/sim/world/generate.ts';
import { runOnce } from '../../../src/sim/world/run-scenario.ts';

type Find = { readonly seed?: number; readonly bounds?: string; readonly text: string };

function sim(from: number, to: number): Find | null {
  for (let seed = from; seed < to; seed += 1) {
    if (seed % 50 === 0) alive(seed);
    const scenario = generateScenario(seed);
    const [first] = guarded(() => runOnce(scenario, {}).result.violations);
    if (first !== undefined) return { seed, text: `${first.rule} (${first.party}) ${first.text}` };
  }
  return null;
}

async function runtime(from: number, to: number): Promise<Find | null> {
  for (let seed = from; seed < to; seed += 1) {
    alive(seed);
    try {
      const { violations } = await runMarketScenario(generateMarket(seed));
      const [first] = violations;
      if (first !== undefined) return { seed, text: `${first.rule} (${first.party}) ${first.text}` };
    } catch (error) {
      return { seed, text: `throws: ${(error as Error).message}` };
    }
  }
  return null;
}

function bounds(from: number, to: number): Find | null {
  for (const named of publishedBounds.slice(from, to)) {
    const options = { maxStates: 2_000_000, onProgress: (states: number) => alive(states) };
    const [first] = guarded(() => {
      return check(named.bounds, options).violations;
    });
    if (first !== undefined) return { bounds: named.name, text: `${first.rule} (${first.party}) ${first.text}` };
  }
  return null;
}

type Said = { readonly rule: string; readonly party: string; readonly text: string };

function guarded(run: () => readonly Said[]): readonly Said[] {
  try {
    return run();
  } catch (error) {
    return [{ rule: 'throws', party: 'world', text: (error as Error).message.split('\n')[0] ?? '' }];
  }
}

function alive(at: number): void {
  process.stderr.write(`${at}\n`);
}

const [stage = '', from = '0', to = '0'] = process.argv.slice(2);
const stages = { sim, runtime, check: bounds } as const;
const run = stages[stage as keyof typeof stages];
const found = await run(Number(from), Number(to));
const { passed } = globalThis as { passed?: Set<string> };
process.stdout.write(`${JSON.stringify({ found, passed: [...(passed ?? [])] })}\n`);
