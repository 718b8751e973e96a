import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RecentMap } from '../../../../src/chains/accounts/recent-map.ts';

const act = fc.record({ name: fc.constantFrom(...'abcdef'), act: fc.constantFrom('get', 'set', 'delete') });

it('keeps what was asked for most recently, up to its limit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(act, { maxLength: 60 }), (most, acts) => {
      const map = new RecentMap<number>(most);
      // The newest last.
      let model: [string, number][] = [];
      for (const [step, { name, act }] of acts.entries()) {
        const before = model.find(([one]) => one === name);
        const others = model.filter(([one]) => one !== name);
        if (act === 'get') {
          expect(map.get(name)).toBe(before?.[1]);
          model = before === undefined ? model : [...others, before];
        } else if (act === 'set') {
          map.set(name, step);
          model = [...others, [name, step] as [string, number]].slice(-most);
        } else {
          map.delete(name);
          model = others;
        }
        expect(map.size).toBe(model.length);
      }
      for (const [name, value] of model) expect(map.get(name)).toBe(value);
    }),
  );
});
