import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { enableEthDefinition } from '../../../../machines/activation/enable-eth/definition.ts';
import { enableEthChart } from '../../../../machines/activation/enable-eth/machine.ts';
import { chartEdges } from './support.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/explanation/activation-task.md'), 'utf8');

describe('the definition of the ETH activation task', () => {
  it('starts the chart with its own context', () => {
    expect(enableEthDefinition.id).toBe(enableEthChart.id);
    expect(enableEthDefinition.initialContext()).toEqual(enableEthChart.getInitialSnapshot({} as never).context);
    expect(enableEthDefinition.initialContext()).not.toBe(enableEthDefinition.initialContext());
  });

  it('needs no guard, so its table depends on no context', () => {
    expect(enableEthDefinition.guards).toBeUndefined();
  });

  it('has the states and events that its page lists', () => {
    const section = page.slice(page.indexOf('## States'), page.indexOf('```mermaid'));
    const rows = [...section.matchAll(/^\| (?:`(\w+)`|–) \| `(\w+)` \|/gm)];
    const described = rows.map(([, event, state]) => `${event ?? 'none'} > ${state}`);
    const inChart = chartEdges().map(({ type, to }) => `${type} > ${to}`);
    expect(new Set(described)).toEqual(new Set(['none > created', ...inChart]));
  });

  it('has every edge and every state of the diagram on its page', () => {
    const drawn = [...page.matchAll(/^ {2}(\w+) --> (\w+): (\w+)$/gm)].map(([, from, to, type]) => ({
      from,
      type,
      to,
    }));
    expect(chartEdges()).toEqual(expect.arrayContaining(drawn));
    expect(new Set(drawn.flatMap(({ from, to }) => [from, to]))).toEqual(new Set(Object.keys(enableEthChart.states)));
  });
});
