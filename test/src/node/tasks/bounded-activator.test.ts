import { describe, expect, it } from 'vitest';
import { boundedActivator } from '../../../../src/node/tasks/bounded-activator.ts';
import { ethOrder } from '../../../../src/node/tasks/eth-order.ts';
import { asked, coins } from '../../../support/tasks/eth-tasks.ts';
import { type Deed, EvmDouble } from '../../../support/tasks/evm-double.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

function bounded(script: readonly Deed[]) {
  const clock = virtualClock();
  const evm = new EvmDouble([script]);
  const lines: string[] = [];
  const logger = { info() {}, warn() {}, error: (text: string) => void lines.push(text) };
  const ending = new AbortController();
  const talk = {
    signal: ending.signal,
    tell: async () => {},
    ask: async () => {
      throw new Error('nobody is asked');
    },
  };
  const outcome = boundedActivator(evm, { clock, logger }).activate(ethOrder(asked().request, coins), talk);
  const settled = outcome.then(
    ({ ok }) => (ok ? 'made' : 'fault'),
    (error: Error) => error.message,
  );
  return { clock, evm, lines, end: () => ending.abort(), settled };
}

describe('an activation', () => {
  it('takes as long as it takes if nobody ends it', async () => {
    const { clock, evm, settled } = bounded(['hang']);
    await clock.advance(3_600_000);
    evm.goOn();
    expect([await settled, clock.armed(), evm.open]).toEqual(['made', 0, 1]);
  });

  it('that settles in time is reported as it settled', async () => {
    const { clock, evm, settled, end, lines } = bounded(['hang']);
    end();
    await clock.advance(9999);
    evm.goOn();
    expect([await settled, clock.armed(), lines]).toEqual(['made', 0, []]);
  });

  it.each([
    ['makes a coin', ['hang'] as const],
    ['fails', ['hang', 'throw'] as const],
  ])('that does not settle in time is left alone, and ignored if it %s later', async (_, script) => {
    const { clock, evm, settled, end, lines } = bounded(script);
    end();
    await clock.advance(10_000);
    expect([await settled, clock.armed(), lines.length]).toEqual(['the activation was abandoned', 0, 1]);
    evm.goOn();
    await clock.advance(0);
    expect([evm.underWay, evm.open]).toEqual([0, 0]);
  });
});
