import { expect, it } from 'vitest';
import { savedSwapText } from '../../../src/events/encode.ts';
import { decodeSwapsText } from '../../../src/events/wrappers.ts';
import { describeShared, manifest, readShared } from '../../support/shared.ts';

describeShared('recorded swaps', () => {
  for (const row of manifest()) {
    const read = () => decodeSwapsText(readShared(`swaps/${row.file}`));
    if (row.loadable) {
      it(`${row.file} is read`, () => {
        const [swap, ...others] = read();
        expect(others).toEqual([]);
        if (swap === undefined || !swap.ok) throw swap?.error ?? new Error('nothing read');
        expect(swap.log.role).toBe(row.role.toLowerCase());
        expect(swap.log.uuid).toBe(row.uuid);
        expect(swap.log.events.map(({ type }) => type)).toEqual(row.eventTypes);
        expect(swap.log.anomalies).toEqual([]);
      });
      it(`${row.file} is written as the real node writes it`, () => {
        const [swap] = read();
        if (swap === undefined || !swap.ok) throw swap?.error ?? new Error('nothing read');
        const written = savedSwapText(swap.log, 'kdf');
        expect(JSON.parse(written)).toEqual(JSON.parse(readShared(`swaps/${row.resaved}`)));
        expect(written).toBe(readShared(`swaps/${row.resaved}`).trimEnd());
      });
    } else {
      it(`${row.file}, which the real node refuses, is read with an anomaly or refused with its place`, () => {
        const [swap] = read();
        if (swap === undefined) throw new Error('nothing read');
        if (swap.ok) expect(swap.log.anomalies.map(({ code }) => code)).toContain('SHAPE_UPCAST');
        else expect(swap.error.facts['place']).toMatch(/^\//);
      });
    }
  }
});
