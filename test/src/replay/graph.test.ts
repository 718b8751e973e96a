import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { describe, expect, it } from 'vitest';
import { enableEthDefinition } from '../../../machines/activation/enable-eth/definition.ts';
import type { EdgeOrigin } from '../../../machines/definition.ts';
import { makerSwap } from '../../../machines/maker-swap/definition.ts';
import { takerSwap } from '../../../machines/taker-swap/definition.ts';
import { watcherDefinition } from '../../../machines/watcher/definition.ts';
import { compile } from '../../../src/replay/compile.ts';
import { dotGraph, mermaidGraph } from '../../../src/replay/graph.ts';
import { chartEdges } from '../../../src/testing/paths.ts';

const machines = {
  'taker-swap': { text: drawings(compile(takerSwap)), chart: takerSwap.chart },
  'maker-swap': { text: drawings(compile(makerSwap)), chart: makerSwap.chart },
  watcher: { text: drawings(compile(watcherDefinition)), chart: watcherDefinition.chart },
  'enable-eth': { text: drawings(compile(enableEthDefinition)), chart: enableEthDefinition.chart },
};

function drawings(machine: Parameters<typeof dotGraph>[0] | unknown) {
  const compiled = machine as Parameters<typeof dotGraph>[0];
  return {
    mermaid: (origins?: readonly EdgeOrigin[]) => mermaidGraph(compiled, origins === undefined ? {} : { origins }),
    dot: () => dotGraph(compiled),
  };
}

describe.each(Object.entries(machines))('%s', (_, { text, chart }) => {
  it('has every edge of the chart in its Mermaid diagram, and no other', () => {
    const drawn = text
      .mermaid()
      .split('\n')
      .flatMap((line) => /^ {2}(\w+) --> (\w+): (\w+)/.exec(line)?.slice(1, 4).join(' ') ?? []);
    const edges = chartEdges(chart).map(({ from, to, type }) => `${from} ${to} ${type}`);
    expect(drawn.sort()).toEqual([...edges].sort());
  });

  it('draws as an SVG with every state once', async () => {
    const graphviz = await Graphviz.load();
    const svg = graphviz.layout(text.dot(), 'svg', 'dot');
    const titles = [...svg.matchAll(/<title>([^<]+)<\/title>/g)].map(([, title]) => title);
    for (const state of Object.keys(chart.states)) expect(titles.filter((title) => title === state)).toEqual([state]);
  });

  it('doubles the frame of final states alone', () => {
    const final = Object.values(chart.states).filter(({ type }) => type === 'final');
    const doubled = text
      .dot()
      .split('\n')
      .flatMap((line) => (line.includes('peripheries=2') ? (/"(\w+)"/.exec(line)?.[1] ?? []) : []));
    expect(doubled.sort()).toEqual(final.map(({ key }) => key).sort());
  });
});

describe('a choice of origins', () => {
  it('leaves out edges without them, and states that nothing joins any more', () => {
    const mermaid = machines['maker-swap'].text.mermaid(['legacy']);
    expect(mermaid).toMatchInlineSnapshot(`
      "stateDiagram-v2
        direction TB
        [*] --> created
        waitingForTakerFee --> sendingMakerPayment: TakerFeeValidated (legacy until 2022-10)
        makerPaymentDataNotSent --> refunded: MakerPaymentRefunded (legacy until 2020-02)
        makerPaymentDataNotSent --> refundFailed: MakerPaymentRefundFailed (legacy until 2020-02)
        makerPaymentUnconfirmed --> refunded: MakerPaymentRefunded (legacy until 2020-02)
        makerPaymentUnconfirmed --> refundFailed: MakerPaymentRefundFailed (legacy until 2020-02)
        takerPaymentInvalid --> refunded: MakerPaymentRefunded (legacy until 2020-02)
        takerPaymentInvalid --> refundFailed: MakerPaymentRefundFailed (legacy until 2020-02)
        takerPaymentUnconfirmed --> refunded: MakerPaymentRefunded (legacy until 2020-02)
        takerPaymentUnconfirmed --> refundFailed: MakerPaymentRefundFailed (legacy until 2020-02)
        claimSent --> finished: Finished (legacy until 2020-11)
        claimFailed --> refunded: MakerPaymentRefunded (legacy until 2020-02)
        claimFailed --> refundFailed: MakerPaymentRefundFailed (legacy until 2020-02)
        claimUnconfirmed --> refunded: MakerPaymentRefunded (legacy until 2020-02)
        claimUnconfirmed --> refundFailed: MakerPaymentRefundFailed (legacy until 2020-02)
        waitingForRefund --> refunded: MakerPaymentRefunded (legacy until 2023-01)
        waitingForRefund --> refundFailed: MakerPaymentRefundFailed (legacy until 2023-01)
        refunded --> finished: Finished (legacy until 2023-01)
        finished --> [*]
      "
    `);
  });

  it('marks what is not live', () => {
    const taker = machines['taker-swap'].text.mermaid();
    expect(taker).toContain('claiming --> claimedByWatcher: MakerPaymentSpentByWatcher (restart)');
    expect(taker).toContain('waitingForSpend --> claimedByWatcher: MakerPaymentSpentByWatcher (spec)');
    expect(taker).toContain('spendNotSeen --> refunded: TakerPaymentRefunded (legacy until 2020-02)');
    expect(taker).toContain('takerPaymentFailed --> waitingForSpend: TakerPaymentSent (engine)');
    expect(taker).toContain('sendingTakerPayment --> waitingForSpend: TakerPaymentSent\n');
  });
});
