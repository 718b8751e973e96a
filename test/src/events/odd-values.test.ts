import { describe, expect, it } from 'vitest';
import { encodeSavedSwap } from '../../../src/events/encode.ts';
import { decodeSavedSwap } from '../../../src/events/saved-swap.ts';
import type { JsonObject } from '../../../src/primitives/json.ts';
import { buildSwap, successPath } from '../../../src/testing/logs/swap-builder.ts';
import { describeShared, manifest, readShared } from '../../support/shared.ts';

type Saved = { events: { timestamp: number; event: { data: Record<string, unknown> } }[] };

const swap = buildSwap({ role: 'maker', path: successPath('maker'), seed: 'odd' });
const codes = (change: (saved: Saved) => void): readonly string[] => {
  const saved = JSON.parse(JSON.stringify(encodeSavedSwap(swap, 'kdf'))) as Saved;
  change(saved);
  return decodeSavedSwap(saved).anomalies.map(({ code, seq }) => `${code} at ${seq}`);
};

describe('values of a saved swap that cannot be so', () => {
  it('do not occur in a sound one', () => {
    expect(codes(() => {})).toEqual([]);
  });

  it('are amounts below nothing, and nothing', () => {
    for (const name of ['maker_amount', 'taker_amount']) {
      const with_ = (amount: string) =>
        codes(({ events: [started] }) => {
          if (started !== undefined) started.event.data[name] = amount;
        });
      expect(with_('-1')).toEqual(['AMOUNT_NEGATIVE at 0']);
      expect(with_('-0.00000001')).toEqual(['AMOUNT_NEGATIVE at 0']);
      expect(with_('0.00000001')).toEqual([]);
    }
  });

  it('are times in seconds', () => {
    expect(
      codes(({ events }) => {
        for (const event of events) event.timestamp = Math.floor(event.timestamp / 1000);
      }),
    ).toEqual(['TIME_IN_SECONDS at 0']);
  });
});

describeShared('real swaps', () => {
  it('hold no such value', () => {
    for (const { file, loadable } of manifest()) {
      if (!loadable) continue;
      const { anomalies } = decodeSavedSwap(JSON.parse(readShared(`swaps/${file}`)) as JsonObject);
      expect(
        anomalies.filter(({ code }) => /AMOUNT|SECONDS/.test(code)),
        file,
      ).toEqual([]);
    }
  });
});
