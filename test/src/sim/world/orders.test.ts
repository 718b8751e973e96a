import { describe, expect, it } from 'vitest';
import type { NewRecord } from '../../../../src/ports/event-log.ts';
import { crashAt, type ScenarioChange, scenario } from '../../../../src/sim/world/build.ts';
import { runScenario } from '../../../../src/sim/world/run-scenario.ts';
import { EPOCH, type Order } from '../../../../src/sim/world/scenario.ts';

type Party = 'maker' | 'taker';

const orderedBy = (party: Party, orders: readonly Order[]): ScenarioChange => {
  return ({ parties, ...rest }) => ({ ...rest, parties: { ...parties, [party]: { ...parties[party], orders } } });
};

/** What a party's log says that its operator ordered, with the seconds at which it heard it. */
function heardBy(party: Party, ...changes: readonly ScenarioChange[]) {
  const heard: string[] = [];
  const { violations } = runScenario(scenario(...changes), {
    watch: {
      appended: (_, { name }, records) => {
        for (const { type, at, data } of records as readonly NewRecord[]) {
          if (name !== party || type !== 'OperatorActed') continue;
          heard.push(`${(data as { readonly action: string }).action} at ${Math.floor(at / 1000) - EPOCH}`);
        }
      },
    },
  });
  return { heard, violations: violations.map(({ rule, text }) => `${rule} ${text}`) };
}

describe('an operator whose order reaches no party', () => {
  // The fee is sent within seconds; the process is back after 465 s, before the orders of the next full minute.
  const away = crashAt('taker', { at: 11, when: 'after', downFor: 465 });

  it('asks again at the full minute', () => {
    const { heard, violations } = heardBy('taker', away, orderedBy('taker', [{ at: 272, action: 'retry' }]));
    expect(heard).toEqual(['retry at 520']);
    expect(violations).toEqual([]);
  });

  it('gives its orders in their order, though the process is back before the earlier one is given again', () => {
    const pause = [
      { at: 272, action: 'pause' },
      { at: 475, action: 'resume' },
    ] as const;
    const { heard, violations } = heardBy('taker', away, orderedBy('taker', pause));
    expect(heard).toEqual(['pause at 520', 'resume at 520']);
    expect(violations).toEqual([]);
  });

  it('keeps to the times of its orders, not to their places in the plan', () => {
    const orders = [
      { at: 475, action: 'resume' },
      { at: 480, action: 'retry' },
      { at: 272, action: 'pause' },
    ] as const;
    expect(heardBy('taker', away, orderedBy('taker', orders)).heard).toEqual([
      'pause at 520',
      'resume at 520',
      'retry at 520',
    ]);
  });

  it('delays no other party: the other one hears its operator at once', () => {
    const orders = [{ at: 475, action: 'retry' }] as const;
    const { heard } = heardBy(
      'maker',
      away,
      orderedBy('taker', [{ at: 272, action: 'retry' }]),
      orderedBy('maker', orders),
    );
    expect(heard).toEqual(['retry at 475']);
  });
});
