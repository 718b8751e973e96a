import { expect, it } from 'vitest';
import { scenario } from '../../../../../src/sim/world/build.ts';
import { type Behaviour, SOUND } from '../../../../../src/sim/world/node.ts';
import { runScenario } from '../../../../../src/sim/world/run-scenario.ts';

/** An engine that does not write down that a node took its payment. */
const silent: Behaviour = {
  ...SOUND,
  decide(runner, now, node) {
    const command = SOUND.decide(runner, now, node);
    if (command.kind !== 'append') return command;
    const events = command.events.filter(({ type, data }) => {
      return type !== 'BroadcastAccepted' || (data as { readonly purpose: string }).purpose !== 'payment';
    });
    // It has forgotten the answer too: else the next decision would write it down.
    if (events.length < command.events.length) runner.facts.broadcasts.clear();
    return events.length === 0 ? command : { ...command, events };
  },
};

it('finds a payment that a node accepted and that the log never records (R8)', () => {
  const swapping = scenario({ seed: 5, confirmations: { maker: 2, taker: 3 } });
  expect(runScenario(swapping).violations).toEqual([]);
  const { violations } = runScenario(swapping, { behaviours: { taker: silent } });
  const [found] = violations.filter(({ rule }) => rule === 'R8');
  expect(found?.party).toBe('taker');
  expect(found?.text).toMatch(/^a node took the payment [0-9a-f]{12}, and the log never says so$/);
});
