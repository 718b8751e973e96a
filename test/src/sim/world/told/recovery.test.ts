import { describe, expect, it } from 'vitest';
import { awayDuring, conductOf, crashAt, scenario } from '../../../../../src/sim/world/build.ts';
import { type Behaviour, SOUND } from '../../../../../src/sim/world/node.ts';
import { runScenario } from '../../../../../src/sim/world/run-scenario.ts';

/** An engine whose table of recovery is given something else than the log holds. */
function misreading(change: (context: Record<string, unknown>) => void): Behaviour {
  return {
    ...SOUND,
    beforeAppend: (node) => change(node.runner.position.context as Record<string, unknown>),
  };
}

/** Recovery is asked of one seed in four. */
const refunding = scenario(
  { seed: 8, confirmations: { maker: 2, taker: 3 }, lockDuration: 9000 },
  conductOf('maker', { kind: 'vanish', after: 'TakerPaymentReceived', backAfter: null }),
);
const swapping = scenario({ seed: 8, confirmations: { maker: 2, taker: 3 } });

function found(given: typeof refunding, behaviours: Partial<Record<'maker' | 'taker', Behaviour>>): readonly string[] {
  const { violations } = runScenario(given, { behaviours });
  return violations.filter(({ rule }) => rule === 'R15').map(({ party, text }) => `${party}: ${text}`);
}

describe('what can be recovered (R15)', () => {
  it('finds nothing in what the shipped engine says', () => {
    expect(runScenario(refunding).violations).toEqual([]);
    expect(runScenario(swapping).violations).toEqual([]);
  });

  it('finds a refund that names the coin of the other side', () => {
    const other = misreading((context) => {
      const started = context['started'] as { maker_coin: string; taker_coin: string } | null;
      if (started !== null) context['started'] = { ...started, taker_coin: started.maker_coin };
    });
    expect(found(refunding, { taker: other })).toContain('taker: recovery names DOC instead of MARTY');
  });

  it('finds a claim that names the coin of the own payment', () => {
    const other = misreading((context) => {
      const started = context['started'] as { maker_coin: string; taker_coin: string } | null;
      if (started !== null) context['started'] = { ...started, maker_coin: started.taker_coin };
    });
    expect(found(swapping, { taker: other })).toContain('taker: recovery names MARTY instead of DOC');
  });

  it('finds a maker that is told to wait for its refund while it can claim', () => {
    const hesitant = misreading((context) => {
      context['takerPaymentValidated'] = false;
    });
    expect(found(swapping, { maker: hesitant })).toContain(
      'maker: recovery (engine) says tooEarly where the chains say spendOtherPayment',
    );
  });

  it('finds a maker that is told to claim although its deadline kept it from showing the secret', () => {
    const late = scenario(
      { seed: 8, confirmations: { maker: 2, taker: 3 }, lockDuration: 9000 },
      crashAt('maker', { at: 20, when: 'before', downFor: 9000 }),
      awayDuring('taker', { from: 300, until: 60_000 }),
    );
    expect(runScenario(late).violations).toEqual([]);
    const boastful = misreading((context) => {
      const failures = context['failures'] as readonly { readonly event: string; readonly error: string }[];
      context['failures'] = failures.map((one) => ({ ...one, error: one.error.replace(/Timeout.*$/, 'refused') }));
    });
    expect(found(late, { maker: boastful })).toContain(
      'maker: recovery (engine) says spendOtherPayment where the chains say refundOwnPayment',
    );
  });

  it('finds a taker that asks a silent chain for the secret that its log holds', () => {
    let kept: unknown = null;
    const forgetful: Behaviour = {
      ...SOUND,
      decide(runner, now, node) {
        const context = runner.position.context as Record<string, unknown>;
        context['secret'] ??= kept;
        const command = SOUND.decide(runner, now, node);
        kept = context['secret'];
        if (command.kind === 'append') context['secret'] = null;
        return command;
      },
    };
    expect(found(swapping, { taker: forgetful })).toContain(
      'taker: recovery says lookUpFailed while the own chain is silent, and the log holds the secret',
    );
  });
});
