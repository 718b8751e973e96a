import { expect, it } from 'vitest';
import type { Anomaly } from '../../../src/events/anomaly.ts';
import type { Role } from '../../../src/events/catalog.ts';
import { decodePayload } from '../../../src/events/decode-event.ts';
import { describeShared, readShared } from '../../support/shared.ts';

type Sample = {
  role: 'Taker' | 'Maker';
  sample: { event: { type: string; data?: unknown } };
  loadable: boolean;
  note: string | null;
};

describeShared('published samples of single events', () => {
  const { samples } = JSON.parse(readShared('swaps/event-samples.json')) as { samples: Sample[] };
  for (const [index, { role, sample, loadable }] of samples.entries()) {
    const { type, data } = sample.event;
    it(`${index}: ${role} ${type}${loadable ? '' : ', which the real node refuses'}`, () => {
      const anomalies: Anomaly[] = [];
      const place = { role: role.toLowerCase() as Role, seq: 0, path: '' };
      expect(decodePayload({ type, data }, place, anomalies).known).toBe(true);
      if (loadable) expect(anomalies).toEqual([]);
    });
  }
});
