import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { describe, expect, it } from 'vitest';
import { enableEthDefinition } from '../../../machines/activation/enable-eth/definition.ts';
import type { EdgeOrigin } from '../../../machines/graph.ts';
import { finalStates } from '../../../machines/graph.ts';
import { makerSwap } from '../../../machines/maker-swap/definition.ts';
import { takerSwap } from '../../../machines/taker-swap/definition.ts';
import { watcherDefinition } from '../../../machines/watcher/definition.ts';
import { compile } from '../../../src/replay/compile.ts';
import { dotGraph, mermaidGraph } from '../../../src/replay/graph.ts';
import { chartEdges } from '../../../src/testing/drawn/paths.ts';
import { smallMachine, to } from '../../support/small-machine.ts';

const machines = {
  'taker-swap': { text: drawings(compile(takerSwap)), graph: takerSwap.graph },
  'maker-swap': { text: drawings(compile(makerSwap)), graph: makerSwap.graph },
  watcher: { text: drawings(compile(watcherDefinition)), graph: watcherDefinition.graph },
  'enable-eth': { text: drawings(compile(enableEthDefinition)), graph: enableEthDefinition.graph },
};

function drawings(machine: Parameters<typeof dotGraph>[0] | unknown) {
  const compiled = machine as Parameters<typeof dotGraph>[0];
  return {
    mermaid: (origins?: readonly EdgeOrigin[]) => mermaidGraph(compiled, origins === undefined ? {} : { origins }),
    dot: () => dotGraph(compiled),
  };
}

describe.each(Object.entries(machines))('%s', (_, { text, graph }) => {
  it('has every edge of the chart in its Mermaid diagram, and no other', () => {
    const drawn = text
      .mermaid()
      .split('\n')
      .flatMap((line) => /^ {2}(\w+) --> (\w+): (\w+)/.exec(line)?.slice(1, 4).join(' ') ?? []);
    const edges = chartEdges(graph).map(({ from, to, type }) => `${from} ${to} ${type}`);
    expect(drawn.sort()).toEqual([...edges].sort());
  });

  it('draws as an SVG with every state once', async () => {
    const graphviz = await Graphviz.load();
    const svg = graphviz.layout(text.dot(), 'svg', 'dot');
    const titles = [...svg.matchAll(/<title>([^<]+)<\/title>/g)].map(([, title]) => title);
    for (const state of Object.keys(graph.states)) expect(titles.filter((title) => title === state)).toEqual([state]);
  });

  it('doubles the frame of final states alone', () => {
    const final = finalStates(graph);
    const doubled = text
      .dot()
      .split('\n')
      .flatMap((line) => (line.includes('peripheries=2') ? (/"(\w+)"/.exec(line)?.[1] ?? []) : []));
    expect(doubled.sort()).toEqual([...final].sort());
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

describe('the drawing of a machine', () => {
  const small = compile(
    smallMachine({
      events: ['Go', 'Fail', 'Restart', 'Say', 'Old', 'GoFailed', 'End'],
      states: {
        start: {
          on: {
            Go: to('going', 'Go', { origin: ['spec', 'live'] }),
            Old: to('old', 'Old', { origin: ['legacy'], before: '2020-02' }),
          },
        },
        going: {
          on: {
            Say: to('going', 'Say', { origin: ['legacy', 'spec'] }),
            Restart: to('start', 'Restart', { origin: ['restart'] }),
            Go: to('going', 'Go', { origin: ['engine'] }),
            GoFailed: to('goFailed', 'GoFailed', { origin: ['live'] }),
            End: to('done', 'End'),
          },
        },
        old: { on: { End: to('done', 'End', { origin: ['legacy'] }) } },
        goFailed: {},
        alone: {},
        done: { type: 'final' },
      },
    }),
  );

  it('in Mermaid labels each edge with what decides how it is drawn', () => {
    expect(mermaidGraph(small)).toMatchInlineSnapshot(`
      "stateDiagram-v2
        direction TB
        [*] --> start
        start --> going: Go
        start --> old: Old (legacy until 2020-02)
        going --> going: Say (spec)
        going --> start: Restart (restart)
        going --> going: Go (engine)
        going --> goFailed: GoFailed
        going --> done: End
        old --> done: End (legacy)
        done --> [*]
      "
    `);
  });

  it('in the language of Graphviz names states, edges and what their looks mean', () => {
    expect(dotGraph(small)).toMatchInlineSnapshot(`
      "digraph "small" {
        graph [rankdir=TB nodesep=0.3 ranksep=0.45 fontname="Helvetica" bgcolor=white pad=0.3]
        node [shape=box style="rounded,filled" fillcolor="#f8fafc" color="#475569" fontname="Helvetica" fontsize=11
          margin="0.22,0.06"]
        edge [arrowsize=0.7 penwidth=1.3]
        "[*]" [shape=circle style=filled fillcolor="#1f2937" width=0.2 label=""]
        "[*]" -> "start"
        "start" [label="start\\nRestart"]
        "going" [label="going\\nGo"]
        "old" [label="old\\nOld"]
        "goFailed" [label="goFailed\\nGoFailed" fillcolor="#fef2f2" color="#b91c1c"]
        "done" [label="done\\nEnd" peripheries=2 fillcolor="#e2e8f0"]
        "start" -> "going" [color="#1f2937" weight=5 tooltip="Go (live)"]
        "start" -> "old" [color="#6b7280" style=dotted tooltip="Old (legacy)"]
        "going" -> "going" [color="#2563eb" style=dashed tooltip="Say (spec)"]
        "going" -> "start" [color="#d97706" style=dashed tooltip="Restart (restart)"]
        "going" -> "going" [color="#059669" tooltip="Go (engine)"]
        "going" -> "goFailed" [color="#1f2937" tooltip="GoFailed (live)"]
        "going" -> "done" [color="#1f2937" tooltip="End (live)"]
        "old" -> "done" [color="#6b7280" style=dotted tooltip="End (legacy)"]
        legend [shape=plain style="" fillcolor=none margin=0 label=<<table border="0" cellborder="0" cellspacing="2"><tr><td>box</td><td align="left">state, and the event that leads to it</td></tr><tr><td><font color="#1f2937" point-size="16"><b>───</b></font></td><td align="left">live: the real node emits it</td></tr><tr><td><font color="#059669" point-size="16"><b>───</b></font></td><td align="left">engine: this engine emits it live, no release of the real node does</td></tr><tr><td><font color="#2563eb" point-size="16"><b>╌╌╌</b></font></td><td align="left">spec: the specification says it, no node of today emits it</td></tr><tr><td><font color="#d97706" point-size="16"><b>╌╌╌</b></font></td><td align="left">restart: only after a restart of the real node</td></tr><tr><td><font color="#6b7280" point-size="16"><b>┈┈┈</b></font></td><td align="left">legacy: stored by older releases</td></tr></table>>]
        { rank=same; "[*]"; legend }
        legend -> "start" [style=invis]
      }
      "
    `);
  });

  it('with some origins alone has no other edge, state or meaning', () => {
    expect(mermaidGraph(small, { origins: ['spec'] })).toMatchInlineSnapshot(`
      "stateDiagram-v2
        direction TB
        [*] --> start
        start --> going: Go (spec)
        going --> going: Say (spec)
      "
    `);
    const drawn = dotGraph(small, { origins: ['legacy'] });
    expect(drawn).not.toContain('"goFailed"');
    expect(drawn).not.toContain('live:');
    expect(drawn).toContain('legacy: stored by older releases');
    expect(mermaidGraph(small, { origins: [] })).toBe('stateDiagram-v2\n  direction TB\n  [*] --> start\n');
  });

  it('keeps marks of the language in names from being read as such', () => {
    const states = { 'a"b\\c': {} };
    expect(dotGraph(compile(smallMachine({ events: [], states })))).toContain('"a\\"b\\\\c" [label="a\\"b\\\\c"]');
  });
});
