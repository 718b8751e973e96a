import { describe, expect, it } from 'vitest';
import { makerSwap, takerSwap } from '../../../machines/index.ts';
import type { TakerEvent } from '../../../src/events/taker.ts';
import { buildSwap, successPath } from '../../../src/testing/logs/swap-builder.ts';
import { given, SpecError, type SpecEvent } from '../../../src/testing/spec.ts';

const path = successPath('taker', { watchers: false });
const log = buildSwap({ role: 'taker', path, seed: 'spec' });
const events = log.events.map(({ type, at, data }) => ({ type, at, data })) as unknown as readonly TakerEvent[];
const upTo = (type: string) => events.slice(0, path.indexOf(type));
const event = (type: string) => events[path.indexOf(type)] as SpecEvent<TakerEvent>;
const failed: SpecEvent<TakerEvent> = { type: 'MakerPaymentSpendFailed', data: { error: 'no answer' } };

function thrown(run: () => unknown): SpecError {
  try {
    run();
  } catch (error) {
    if (error instanceof SpecError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('given, when, then', () => {
  it('shows the state of a machine after an event, what it wants, and what may come next', () => {
    given(takerSwap)
      .events(upTo('TakerPaymentSpent'))
      .when(event('TakerPaymentSpent'))
      .then({
        state: 'claiming',
        wants: ['spendMakerPayment'],
        allowed: ['MakerPaymentSpendFailed', 'MakerPaymentSpent', 'MakerPaymentSpentByWatcher'],
        context: { makerPaymentSpend: null },
      });
  });

  it('continues from its state', () => {
    const claiming = given(takerSwap)
      .events(upTo('TakerPaymentSpent'))
      .when(event('TakerPaymentSpent'))
      .then({ state: 'claiming' });
    claiming.when(failed).then({ state: 'claimFailed', wants: ['spendMakerPayment'] });
    claiming
      .when(event('MakerPaymentSpent'))
      .then({ wants: [{ effect: 'confirmMakerPaymentSpend', clock: 'host' }] })
      .when(failed)
      .then({ refused: true, state: 'confirmingClaim' })
      .when(event('MakerPaymentSpendConfirmed'))
      .then({ state: 'claimConfirmed', wants: ['finish'] });
  });

  it('starts from nothing, and puts events without a moment a second apart', () => {
    given(makerSwap)
      .when({ type: 'StartFailed', data: { error: 'no balance' } })
      .then({ state: 'startFailed', wants: ['finish'] })
      .when({ type: 'Finished', data: null })
      .then({ state: 'finished', wants: [], allowed: [] });
  });

  it('throws the expected and the actual value, with the lines in which they differ', () => {
    const at = given(takerSwap).events(upTo('TakerPaymentSpent')).when(event('TakerPaymentSpent'));
    const state = thrown(() => at.then({ state: 'refunding' }));
    expect(state.message).toMatchInlineSnapshot(`
      "The state after TakerPaymentSpent is not as expected.
      - expected  "refunding"
      + found     "claiming""
    `);
    expect([state.expected, state.actual]).toEqual(['refunding', 'claiming']);
    expect(thrown(() => at.then({ wants: ['refundTakerPayment'] })).message).toContain(
      '+ found     "spendMakerPayment"',
    );
    expect(thrown(() => at.then({ wants: [] })).actual).toEqual(['spendMakerPayment']);
    expect(thrown(() => at.then({ wants: [{ effect: 'spendMakerPayment', clock: 'host' }] })).message).toContain(
      'makerChain',
    );
    expect(thrown(() => at.then({ allowed: ['Finished'] })).message).toMatch(
      /The set of allowed events after TakerPaymentSpent/,
    );
    expect(thrown(() => at.then({ context: { makerPaymentSpendConfirmed: true } })).message).toMatch(/The context/);
  });

  it('throws for an event that is accepted or refused against the expectation', () => {
    const at = given(takerSwap).events(upTo('TakerPaymentSent'));
    const refused = thrown(() => at.when(failed).then({}));
    expect(refused.message).toMatch(/^MakerPaymentSpendFailed was refused in state sendingTakerPayment/);
    expect(refused.actual).toEqual(['TakerPaymentSent', 'TakerPaymentTransactionFailed']);
    expect(thrown(() => at.when(event('TakerPaymentSent')).then({ refused: true })).message).toMatch(
      /^TakerPaymentSent was accepted and led to state waitingForSpend/,
    );
  });

  it('throws for events before it that the machine refuses', () => {
    const gap = given(takerSwap).events([...upTo('Negotiated'), ...upTo('TakerPaymentSent').slice(-1)]);
    expect(thrown(() => gap.when(failed).then({})).message).toMatch(
      /^given: MakerPaymentValidatedAndConfirmed at 1 is illegal in state negotiating/,
    );
  });

  it('throws for what it does not look at', () => {
    const at = given(takerSwap).events(upTo('TakerPaymentSpent')).when(event('TakerPaymentSpent'));
    for (const expected of [{ outcome: 'x' }, { foo: 1 }, { state: 'claiming', want: [] }]) {
      const error = thrown(() => at.then(expected as never));
      expect(error.message).toMatch(/^then\(\) has no member (outcome|foo|want)\./);
      expect(error.expected).toEqual(['state', 'wants', 'refused', 'allowed', 'context']);
    }
    const context = thrown(() => at.then({ context: { makerPaymentSpent: null } as never }));
    expect(context.message).toMatch(/^The context has no member makerPaymentSpent\./);
  });

  it('is not treated as a promise when its last word is forgotten', async () => {
    // The compiler knows already; this is for who does not ask it.
    const forgotten: unknown = given(takerSwap).when(event('Started'));
    await expect(Promise.resolve(forgotten)).rejects.toThrow(SpecError);
  });
});
