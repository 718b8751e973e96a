import { describe, expect, it } from 'vitest';
import type { Millis } from '../../../../../src/primitives/time.ts';
import { conductOf, scenario } from '../../../../../src/sim/world/build.ts';
import { type Behaviour, SOUND } from '../../../../../src/sim/world/node.ts';
import { runScenario } from '../../../../../src/sim/world/run-scenario.ts';

const swapping = scenario({ seed: 3, confirmations: { maker: 2, taker: 3 }, lockDuration: 9000 });
/** A taker that names a fee which was never paid. */
const lying = scenario(swapping, conductOf('taker', { kind: 'liar', about: 'takerFee' }));

function found(given: typeof swapping, maker: Behaviour): readonly string[] {
  const { violations } = runScenario(given, { behaviours: { maker } });
  return violations.filter(({ rule, party }) => rule === 'R16' && party === 'maker').map(({ text }) => text);
}

describe('how often a party asks, repeats itself and wakes (R16)', () => {
  it('finds nothing in the shipped engine', () => {
    expect(found(swapping, SOUND)).toEqual([]);
    expect(found(lying, SOUND)).toEqual([]);
  });

  it('finds a wait that ends at the moment at which it begins', () => {
    const restless: Behaviour = {
      ...SOUND,
      decide(runner, now, node) {
        const command = SOUND.decide(runner, now, node);
        return command.kind === 'wait' ? { kind: 'wait', until: now } : command;
      },
    };
    expect(found(swapping, restless)).toContain('it waits for a moment that has been over for 0 ms');
  });

  it('finds a wait for a part of a millisecond', () => {
    const hurried: Behaviour = {
      ...SOUND,
      decide(runner, now, node) {
        const command = SOUND.decide(runner, now, node);
        return command.kind === 'wait' ? { kind: 'wait', until: (now + 0.6) as Millis } : command;
      },
    };
    expect(found(swapping, hurried)).toContain('it waits for a moment that is less than a millisecond away');
  });

  it('finds a wait for a moment between two milliseconds, however far away', () => {
    const fractional: Behaviour = {
      ...SOUND,
      decide(runner, now, node) {
        const command = SOUND.decide(runner, now, node);
        return command.kind === 'wait' ? { kind: 'wait', until: (now + 4000 + 1 / 3) as Millis } : command;
      },
    };
    expect(found(swapping, fractional)).toContain('it waits for a moment between two milliseconds');
  });

  it('finds a payment that is looked at again without news of its chain', () => {
    let cleared = 0;
    const restless: Behaviour = {
      ...SOUND,
      decide(runner, now, node) {
        if (now - cleared >= 2000) {
          runner.facts.payments.taker = null;
          cleared = now;
        }
        const command = SOUND.decide(runner, now, node);
        if (command.kind !== 'wait' || runner.facts.payments.taker === null) return command;
        return { kind: 'wait', until: Math.min(command.until, now + 2000) as Millis };
      },
    };
    expect(found(swapping, restless)).toContain('the taker payment is looked at again after 2 s without news');
  });

  it('finds a message that goes out again and again', () => {
    const insistent: Behaviour = {
      ...SOUND,
      decide(runner, now, node) {
        runner.facts.sentAt.clear();
        const command = SOUND.decide(runner, now, node);
        return command.kind === 'wait'
          ? { kind: 'wait', until: Math.min(command.until, now + 5000) as Millis }
          : command;
      },
    };
    const alone = scenario(swapping, conductOf('taker', { kind: 'vanish', after: 'Started', backAfter: null }));
    const once: Behaviour = {
      ...insistent,
      decide(runner, now, node) {
        const last = runner.facts.sentAt.get('negotiation') ?? 0;
        if (now - last < 5000) return { kind: 'wait', until: (last + 5000) as Millis };
        return insistent.decide(runner, now, node);
      },
    };
    expect(found(alone, once)).toContain('a message negotiation is repeated after 5 s');
  });

  it('finds a wrong fee that is checked more often, or sooner, than published', () => {
    const patient: Behaviour = {
      ...SOUND,
      decide(runner, now, node) {
        const policy = { ...runner.policy, feeCheck: { retries: 10, pause: 6 } };
        (runner as { policy: typeof policy }).policy = policy;
        return SOUND.decide(runner, now, node);
      },
    };
    const told = found(lying, patient);
    expect(told).toContain('a wrong fee is looked at 8 times');
    expect(told).toContain('a wrong fee is looked at again after 6 s');
  });
});
