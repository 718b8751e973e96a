import { describe, expect, it } from 'vitest';
import type { MachineEvent } from '../../../../../machines/definition.ts';
import type { SwapDefinition } from '../../../../../machines/swap-verdict.ts';
import type { Millis } from '../../../../../src/primitives/time.ts';
import type { SwapRunner } from '../../../../../src/runtime/swap/runner.ts';
import { conductOf, scenario } from '../../../../../src/sim/world/build.ts';
import { type Behaviour, SOUND } from '../../../../../src/sim/world/node.ts';
import { runScenario } from '../../../../../src/sim/world/run-scenario.ts';

type Definition = SwapDefinition<unknown, MachineEvent>;

/** An engine that does all as it should, and tells something else. */
function telling(change: (definition: Definition) => Partial<Definition>): Behaviour {
  const changed = new WeakSet<object>();
  return {
    ...SOUND,
    decide(runner, now, node) {
      if (!changed.has(runner.kind)) {
        const { kind } = runner;
        const definition = { ...kind.definition, ...change(kind.definition) };
        (runner as { kind: SwapRunner['kind'] }).kind = { ...kind, definition };
        changed.add(runner.kind);
      }
      return SOUND.decide(runner, now, node);
    },
  };
}

/** One that folds an event to something else. */
function folding(change: (context: Record<string, unknown>) => void): Behaviour {
  return {
    ...SOUND,
    decide(runner, now, node) {
      change(runner.position.context as Record<string, unknown>);
      return SOUND.decide(runner, now, node);
    },
  };
}

/** A maker that pays and is gone, so that the taker takes its payment back. */
const refunding = scenario(
  { confirmations: { maker: 2, taker: 3 }, lockDuration: 9000 },
  conductOf('maker', { kind: 'vanish', after: 'TakerPaymentReceived', backAfter: null }),
);

function found(taker: Behaviour, rule: string): readonly string[] {
  const { violations } = runScenario(refunding, { behaviours: { taker } });
  return violations.filter((one) => one.rule === rule && one.party === 'taker').map(({ text }) => text);
}

describe('what is reported about a swap (R14)', () => {
  it('finds nothing in the reports of the shipped engine', () => {
    expect(runScenario(refunding).violations).toEqual([]);
  });

  it('finds a next step that names the payment of the other side', () => {
    const swapped = telling(({ verdict }) => ({
      verdict(state, context) {
        const told = verdict(state, context);
        const { next } = told;
        return next?.action !== 'refundTakerPayment'
          ? told
          : { ...told, next: { ...next, action: 'refundMakerPayment' } };
      },
    }));
    expect(found(swapped, 'R14')).toContain("the taker's next step is refundMakerPayment");
  });

  it('finds a refund that names somebody else than the other side as who may have the payment', () => {
    const saying = (who: string) =>
      telling(({ verdict }) => ({
        verdict(state, context) {
          const told = verdict(state, context);
          const { next } = told;
          if (next?.action !== 'refundTakerPayment') return told;
          return { ...told, next: { ...next, text: `${next.text} Refund it unless the ${who} has taken it.` } };
        },
      }));
    expect(found(saying('maker'), 'R14')).toEqual([]);
    expect(found(saying('3 MARTY'), 'R14')).toContain(
      "the taker's next step, refundTakerPayment, says that 3 MARTY may have taken its payment",
    );
  });

  it('finds a next step that is reported for another time', () => {
    const late = telling(({ verdict }) => ({
      verdict(state, context) {
        const told = verdict(state, context);
        const { next } = told;
        if (next === null || next.notBefore === null) return told;
        return { ...told, next: { ...next, notBefore: (next.notBefore + 9000) as typeof next.notBefore } };
      },
    }));
    expect(found(late, 'R14')).toContain('refundTakerPayment is told from 1700018000 on instead of 1700009000');
  });

  it('finds a payment that is reported movable by the wrong side, or from another moment on', () => {
    const given = telling(({ verdict }) => ({
      verdict(state, context) {
        const told = verdict(state, context);
        const claimable = told.funds.takerPayment.claimable.map((claim) => ({ ...claim, by: 'maker' as const }));
        return { ...told, funds: { ...told.funds, takerPayment: { ...told.funds.takerPayment, claimable } } };
      },
    }));
    expect(found(given, 'R14')).toContain("the taker payment is told as locked: a refund is the maker's");
  });

  it('finds a deadline in another unit, and one by another clock', () => {
    const early = telling(({ deadlines }) => ({
      deadlines: (state, context) =>
        deadlines(state, context).map((one) => ({ ...one, at: Math.floor(one.at / 1000) as Millis })),
    }));
    expect(found(early, 'R14')).toContain(
      'the deadline makerPaymentWait is told at 1700003600 instead of 1700003600000',
    );
    const byHost = telling(({ deadlines }) => ({
      deadlines: (state, context) => deadlines(state, context).map((one) => ({ ...one, clock: 'host' as const })),
    }));
    expect(found(byHost, 'R14')).toContain(
      'the deadline takerPaymentLock is told by the clock host instead of takerChain',
    );
  });

  it('finds a fact of the log that is folded to another one', () => {
    const dropped = folding((context) => {
      context['refundWaitUntil'] = null;
    });
    expect(found(dropped, 'R14')).toContain('a refund is told to be waited for until null instead of 1700012700');
    const renamed = folding((context) => {
      const failures = context['failures'] as { event: string; error: string }[];
      for (const failure of failures) failure.event = failure.error;
    });
    expect(found(renamed, 'R14').some((text) => text.startsWith('the failure TakerPaymentWaitForSpendFailed'))).toBe(
      true,
    );
  });

  it('finds a missed deadline that is reported at another moment', () => {
    const shifted: Behaviour = {
      ...SOUND,
      decide(runner, now, node) {
        const command = SOUND.decide(runner, now, node);
        if (command.kind !== 'append') return command;
        const events = command.events.map((event) => {
          if (event.type !== 'DeadlineReached') return event;
          const data = event.data as { readonly deadline: number };
          return { ...event, data: { ...data, deadline: data.deadline - 7800 } };
        });
        return { ...command, events };
      },
    };
    expect(found(shifted, 'R14')).toEqual(['waitForTakerPaymentSpend is told to have ended at 1700008992200']);
  });
});
