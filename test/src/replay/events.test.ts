import { expect, it } from 'vitest';
import { enableEthDefinition } from '../../../machines/index.ts';
import { compile } from '../../../src/replay/compile.ts';
import { replayEvents } from '../../../src/replay/events.ts';
import { eventsOf } from '../../machines/activation/enable-eth/support.ts';

const machine = compile(enableEthDefinition);

it('an interrupted activation task continues from its log alone', () => {
  const events = eventsOf(['TaskStarted', 'EnterTrezorPin']);
  const { state, wants, deadlines, anomalies } = replayEvents(machine, events);
  expect(anomalies).toEqual([]);
  expect(state).toBe(replayEvents(machine, [...events]).state);
  expect(wants.length).toBeGreaterThan(0);
  expect(deadlines.map(({ at }) => at)).toContain((events.at(-1)?.at ?? 0) + 300_000);
});

it('an event that the task cannot accept is reported, and the rest is read', () => {
  const events = eventsOf(['TaskStarted', 'RequestingWalletBalance', 'Completed']);
  const { anomalies } = replayEvents(machine, [...events, ...events.slice(1, 2)]);
  const faults = anomalies.filter(({ severity }) => severity === 'fault');
  expect(faults.map(({ seq, code }) => ({ seq, code }))).toEqual([{ seq: 3, code: 'ILLEGAL_EVENT' }]);
});
