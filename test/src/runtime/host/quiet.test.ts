import { describe, expect, it } from 'vitest';
import type { LogFields, Logger } from '../../../../src/ports/logger.ts';
import type { Metrics } from '../../../../src/runtime/host/metrics.ts';
import { quietLogger, quietMetrics } from '../../../../src/runtime/host/quiet.ts';
import { settled } from '../../../support/virtual-clock.ts';

const LEVELS = ['info', 'warn', 'error'] as const;
const fail = (): never => {
  throw new Error('disk full');
};
const CALLS: { readonly [K in keyof Metrics]-?: Parameters<Required<Metrics>[K]> } = {
  asked: [{ op: 'quote', coin: 'DOC', seconds: 1, fault: null }],
  late: [{ op: 'quote', coin: 'DOC' }],
  appended: [{ seconds: 1, records: 2, ok: true }],
  decided: ['wait'],
  moved: [null, { machine: 'taker-swap', state: 'created', outcome: 'in-progress' }],
  runnerMoved: ['running', null],
  dropped: [{ from: 'taker', why: 'tooMany' }],
};
const NAMES = Object.keys(CALLS) as (keyof Metrics)[];
const call = (metrics: Metrics, name: keyof Metrics) =>
  (metrics[name] as (...given: unknown[]) => unknown)(...CALLS[name]);
const metricsOf = (action: (name: string, given: readonly unknown[]) => unknown): Metrics =>
  Object.fromEntries(NAMES.map((name) => [name, (...given: unknown[]) => action(name, given)])) as never;

describe('the log of the process', () => {
  it('gets each line on its level, with its fields', () => {
    const lines: [string, string, LogFields][] = [];
    const line = (level: string) => (message: string, fields: LogFields) => void lines.push([level, message, fields]);
    const logger = quietLogger({ info: line('info'), warn: line('warn'), error: line('error') });
    for (const level of LEVELS) expect(logger[level]('happened', { stream: 'a', count: 1 })).toBeUndefined();
    expect(lines).toEqual(LEVELS.map((level) => [level, 'happened', { stream: 'a', count: 1 }]));
  });

  it('gets no secret, on any level', () => {
    const given: LogFields[] = [];
    const line = (_: string, fields: LogFields) => void given.push(fields);
    const logger = quietLogger({ info: line, warn: line, error: line });
    for (const level of LEVELS) logger[level]('happened', { coin: 'DOC', secret: '5e5e5e' });
    expect(given).toHaveLength(3);
    expect(JSON.stringify(given)).not.toContain('5e5e5e');
    for (const fields of given) expect(fields).toMatchObject({ coin: 'DOC' });
  });

  it('keeps what it throws, or fails with later, to itself', async () => {
    const later = () => Promise.reject(new Error('disk full')) as never;
    for (const action of [fail, later]) {
      const logger: Logger = quietLogger({ info: action, warn: action, error: action });
      for (const level of LEVELS) expect(logger[level]('happened', {})).toBeUndefined();
    }
    await settled();
  });

  it('may be none', () => {
    const logger = quietLogger(undefined);
    for (const level of LEVELS) expect(logger[level]('happened', {})).toBeUndefined();
  });
});

describe('metrics', () => {
  it('get each call as it is', () => {
    const calls: [string, readonly unknown[]][] = [];
    const metrics = quietMetrics(metricsOf((name, given) => void calls.push([name, given])));
    for (const name of NAMES) expect(call(metrics, name)).toBeUndefined();
    expect(calls).toEqual(NAMES.map((name) => [name, CALLS[name]]));
  });

  it('keep what they throw, or fail with later, to themselves', async () => {
    for (const action of [fail, () => Promise.reject(new Error('gone'))]) {
      const metrics = quietMetrics(metricsOf(action));
      for (const name of NAMES) expect(call(metrics, name)).toBeUndefined();
    }
    await settled();
  });

  it('may be none', () => {
    const metrics = quietMetrics(undefined);
    for (const name of NAMES) expect(call(metrics, name)).toBeUndefined();
  });
});
