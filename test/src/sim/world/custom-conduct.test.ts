import { describe, expect, it } from 'vitest';
import type { SwapMessage } from '../../../../src/ports/peers.ts';
import type { Command } from '../../../../src/runtime/command.ts';
import { conductOf, scenario } from '../../../../src/sim/world/build.ts';
import type { CustomConduct } from '../../../../src/sim/world/custom-conduct.ts';
import { runScenario } from '../../../../src/sim/world/simulate.ts';

const by = (party: 'maker' | 'taker', change = {}) =>
  scenario(change, conductOf(party, { kind: 'custom', name: 'mine' }));
const play = (party: 'maker' | 'taker', mine: () => CustomConduct) => runScenario(by(party), { conducts: { mine } });
const moneyOf = ({ endings }: ReturnType<typeof runScenario>) => endings.map(({ money }) => money);

describe('a custom adversary', () => {
  it('that changes nothing is as good as honest, and the run says so', () => {
    const result = play('maker', () => ({ command: (usual) => usual, says: (message) => message }));
    expect(moneyOf(result)).toEqual(['swapped', 'swapped']);
    expect(result.unfired).toEqual(['parties.maker.conduct (custom) did nothing that an honest party would not']);
  });

  it('issues other commands: a maker that never claims loses its coins, and nobody calls that a broken rule', () => {
    const sloth: CustomConduct = {
      command: (usual, { view }): Command =>
        view.state === 'claiming' ? { kind: 'wait', until: Number.MAX_SAFE_INTEGER as never } : usual,
    };
    const result = play('maker', () => sloth);
    expect(moneyOf(result)).toEqual(['locked', 'refunded']);
    expect(result.violations).toEqual([]);
    expect(result.unfired).toEqual([]);
  });

  it('sends nothing, something else, or more', () => {
    const mute = play('taker', () => ({ says: () => null }));
    expect(moneyOf(mute)).toEqual(['untouched', 'untouched']);
    const stutter = play('taker', () => ({ says: (message) => [message, message] }));
    expect(moneyOf(stutter)).toEqual(['swapped', 'swapped']);
    const liar = play('maker', () => ({
      says: (message) =>
        message.kind === 'negotiation'
          ? { ...message, offer: { ...message.offer, secret_hash: 'ab'.repeat(20) } }
          : message,
    }));
    expect(moneyOf(liar)[1]).toBe('untouched');
  });

  it('hears none of its messages', () => {
    const deaf = play('maker', () => ({ hears: () => null }));
    expect(moneyOf(deaf)).toEqual(['untouched', 'untouched']);
  });

  it('remembers nothing from one run to the next', () => {
    const counting = () => {
      let said = 0;
      return { says: (message: SwapMessage) => (++said > 2 ? null : message) };
    };
    expect(play('maker', counting)).toEqual(play('maker', counting));
  });

  it('must be given to the run by its name', () => {
    expect(() => runScenario(by('maker'))).toThrow('conduct.name is "mine"; allowed: the name of a program');
    expect(() => runScenario(by('maker'), { conducts: { mien: () => ({}) } })).toThrow('did you mean mien?');
    expect(() => play('maker', () => null as never)).toThrow('conducts.mine() is null');
    expect(() => play('maker', () => ({ sais: () => null }) as never)).toThrow('did you mean says');
    expect(() => play('maker', () => ({ command: () => undefined as never }))).toThrow('conducts.mine.command() kind');
  });

  it.each([
    ['says', undefined, 'conducts.mine.says() is undefined; allowed: a message, or null for none.'],
    ['says', [null], 'conducts.mine.says() is null; allowed: a message, or null for none.'],
    ['says', { kind: 'takerFe' }, 'conducts.mine.says() kind is "takerFe"; did you mean takerFee?'],
    ['hears', undefined, 'conducts.mine.hears() is undefined; allowed: a message, or null for none.'],
    ['hears', { kind: 'negotiate' }, 'conducts.mine.hears() kind is "negotiate"; did you mean negotiated'],
  ])('must answer with what can be said or heard: %s, %o', (hook, answer, text) => {
    for (const party of ['maker', 'taker'] as const)
      expect(() => play(party, () => ({ [hook]: () => answer as never }))).toThrow(text);
  });

  it('that no party plays is reported', () => {
    const { notices } = runScenario(scenario(), { conducts: { mine: () => ({ says: () => null }) } });
    expect(notices).toEqual([
      "no party plays a conduct of one's own: mine was given for nothing; conductOf(party, { kind: 'custom', name: 'mine' }) names it",
    ]);
    const both = { mine: () => ({}), other: () => ({}) };
    expect(runScenario(by('maker'), { conducts: both }).notices.join()).not.toContain('other');
  });
});
