import { describe, expect, it } from 'vitest';
import type { PaymentView } from '../../../../src/ports/chain.ts';
import { crashAt, reorgAt, type ScenarioChange, scenario } from '../../../../src/sim/world/build.ts';
import { type Behaviour, SOUND } from '../../../../src/sim/world/node.ts';
import { type RunOptions, runScenario } from '../../../../src/sim/world/run-scenario.ts';
import { EPOCH } from '../../../../src/sim/world/scenario.ts';

// A swap that ends by its claim is over when that is final: what comes undone later is for whoever watches the finished swap.

/** The taker is gone before it claims, so that the maker's own payment stays locked where the maker's claim comes undone. */
const away = crashAt('taker', { at: 28, when: 'before', downFor: 3000 });
const planned = (...changes: readonly ScenarioChange[]) =>
  scenario({ seed: 3, confirmations: { maker: 2, taker: 1 } }, away, ...changes);

const SAID = 'TakerPaymentSpendConfirmed';
const LOCKED = 'Finished: the swap ends while the own payment is locked';

function ended(changes: readonly ScenarioChange[], options: RunOptions = {}) {
  const { timeline, violations } = runScenario(planned(...changes), options);
  const at = (text: string) => timeline.find((line) => line.party === 'maker' && line.text === text)?.at ?? Number.NaN;
  const told = violations.filter(({ rule, party }) => rule === 'R3' && party === 'maker').map(({ text }) => text);
  return { final: at(SAID), finished: at('Finished'), reopened: at('PaymentReorged'), told };
}

describe('a maker that dies between its final claim and the end of its swap', () => {
  const { final, finished } = ended([]);
  const undone = reorgAt('taker', { at: final + 70, depth: 6, drop: true });
  const dying = Array.from({ length: 60 }, (_, index) =>
    ended([crashAt('maker', { at: index + 1, when: 'before', downFor: 200 }), undone]),
  );

  it('may say that it is over, although blocks were replaced meanwhile, and opens it again', () => {
    expect(finished).toBe(final);
    const between = dying.filter((run) => run.final < final + 70 && run.finished > final + 70);
    expect(between.length).toBeGreaterThan(0);
    for (const { told, reopened } of between) {
      expect(told).toEqual([]);
      expect(reopened).toBeGreaterThan(final + 70);
    }
  });

  /** Its log says what it said before, but that. */
  const without = (left: string): Behaviour => ({
    ...SOUND,
    decide: (runner, now, node) => {
      const command = SOUND.decide(runner, now, node);
      if (command.kind !== 'append') return command;
      const events = command.events.filter(({ type }) => type !== left);
      return events.length === 0 ? command : { ...command, events };
    },
  });

  it('may not say so if its log does not show that the claim was final', () => {
    const at = dying.findIndex((run) => run.final < final + 70 && run.finished > final + 70) + 1;
    const dies = crashAt('maker', { at, when: 'before', downFor: 200 });
    const { told } = ended([dies, undone], { behaviours: { maker: without('PaymentSettled') } });
    expect(told).toEqual([LOCKED]);
  });

  it('may not say so about a claim that was undone before the log said that it was final', () => {
    let shown: PaymentView | null = null;
    const forgetful: Behaviour = {
      ...SOUND,
      answer: (question, result, node) => {
        if (question.op !== 'payment' || !result.ok) return result;
        const view = result.value as PaymentView;
        if (view.spend?.how === 'secret') shown = view;
        if (shown?.spend == null || question.query.terms.lock !== EPOCH + 7800) return result;
        const confirmations = node.hostClock() < EPOCH + final - 40 ? 1 : 9;
        return { ok: true, value: { ...shown, spend: { ...shown.spend, confirmations } } };
      },
    };
    const early = reorgAt('taker', { at: final - 100, depth: 6, drop: true });
    expect(ended([early], { behaviours: { maker: forgetful } }).told).toEqual([LOCKED]);
  });
});
