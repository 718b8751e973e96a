import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/primitives/secret.ts';
import { metricsView, type NodeRpc, withRpc } from '../../../../src/rpc/index.ts';
import { prometheusMetrics } from '../../../../src/runtime/host/metrics-prometheus.ts';
import { type TradingPair, tradingPair } from '../../../support/trading-pair.ts';

const PASSWORD = new Secret('a password of HTTP');
const LOCAL = { address: '127.0.0.1', local: true };
const { metrics, registry } = prometheusMetrics();

let pair: TradingPair;
let node: NodeRpc;

beforeAll(async () => {
  pair = await tradingPair({ metrics });
  node = withRpc(pair.parties.maker.node(), { password: PASSWORD, metrics: metricsView(registry) });
});
afterAll(() => pair.close());

const page = (headers: Record<string, string> = {}, init: RequestInit = {}) =>
  node.fetch(new Request('http://node/metrics', { headers, ...init }), LOCAL);

describe('what a node counts', () => {
  it('is reported by the method `metrics` in the real node’s form, with the values of the page', async () => {
    metrics.asked({ op: 'payment', coin: 'MAK', seconds: 0.3, fault: null });
    metrics.asked({ op: 'payment', coin: 'MAK', seconds: 25, fault: 'unavailable' });
    metrics.moved(null, { machine: 'maker-swap', state: 'created', outcome: 'in-progress' });
    const { metrics: series } = (await node.rpc({ method: 'metrics' })) as unknown as { metrics: { key: string }[] };
    const of = (key: string) => series.filter((each) => each.key === key);
    expect(of('swapfold_faults_total')).toEqual([
      {
        ...{ key: 'swapfold_faults_total', type: 'counter', value: 1 },
        labels: { kind: 'unavailable', op: 'payment', coin: 'MAK' },
      },
    ]);
    expect(of('swapfold_swaps')).toEqual([
      {
        ...{ key: 'swapfold_swaps', type: 'gauge', value: 1 },
        labels: { machine: 'maker-swap', state: 'created', outcome: 'in-progress' },
      },
    ]);
    const [good, bad] = of('swapfold_call_seconds');
    expect(good).toMatchObject({ type: 'histogram', count: 1, sum: 0.3, buckets: { 0.25: 0, 0.5: 1, '+Inf': 1 } });
    expect(bad).toMatchObject({ labels: { result: 'fault' }, count: 1, sum: 25, buckets: { 20: 0, 30: 1 } });
    const text = await (await page({ authorization: `Bearer ${PASSWORD.reveal()}` })).text();
    expect(text).toContain('swapfold_faults_total{kind="unavailable",op="payment",coin="MAK"} 1\n');
    expect(text).toContain('swapfold_call_seconds_sum{op="payment",coin="MAK",result="fault"} 25\n');
  });

  it('is for those with the password, and asked for by GET', async () => {
    expect((await page()).status).toBe(403);
    expect((await page({ authorization: 'Bearer a guess' })).status).toBe(403);
    const authorization = `Bearer ${PASSWORD.reveal()}`;
    const found = await page({ authorization });
    expect([found.status, found.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect((await page({ authorization }, { method: 'POST' })).status).toBe(405);
    const stranger = await node.fetch(new Request('http://node/metrics', { headers: { authorization } }));
    expect([stranger.status, await stranger.json()]).toMatchObject([403, { error_type: 'LocalHostOnly' }]);
  });

  it('is empty if nothing is counted', async () => {
    const { maker } = pair.parties;
    expect((await maker.call({ method: 'metrics' }))['error']).toContain('The node counts nothing');
  });
});
