import type { MachineEvent } from '../../machines/definition.ts';
import type { EdgeOrigin } from '../../machines/graph.ts';
import type { CompiledEdge, CompiledMachine } from './compile.ts';

export type GraphOptions = {
  /** Only edges with one of these origins, and the states that they join. @defaultValue all */
  readonly origins?: readonly EdgeOrigin[];
};

/** Origins in the order in which they decide how an edge is drawn: what happens live outranks everything else. */
const RANK: readonly EdgeOrigin[] = ['live', 'engine', 'spec', 'restart', 'legacy'];

const MEANING: Readonly<Record<EdgeOrigin, string>> = {
  live: 'live: the real node emits it',
  engine: 'engine: this engine emits it live, no release of the real node does',
  spec: 'spec: the specification says it, no node of today emits it',
  restart: 'restart: only after a restart of the real node',
  legacy: 'legacy: stored by older releases',
};

const STYLE: Readonly<Record<EdgeOrigin, string>> = {
  live: 'color="#1f2937"',
  engine: 'color="#059669"',
  spec: 'color="#2563eb" style=dashed',
  restart: 'color="#d97706" style=dashed',
  legacy: 'color="#6b7280" style=dotted',
};

type Edge = {
  readonly from: string;
  readonly to: string;
  readonly event: string;
  readonly origin: EdgeOrigin;
  readonly before: string | undefined;
};

type Graph = {
  readonly id: string;
  readonly initial: string;
  readonly states: readonly string[];
  readonly final: ReadonlySet<string>;
  readonly edges: readonly Edge[];
  /** The one event that leads into a state. */
  readonly entry: ReadonlyMap<string, string>;
};

function graphOf<C, E extends MachineEvent>(machine: CompiledMachine<C, E>, { origins }: GraphOptions): Graph {
  const edges = machine.edges.filter((edge) => originsOf(edge).some((origin) => origins?.includes(origin) ?? true));
  const name = (state: number) => machine.states[state] as string;
  const used = new Set([machine.initial, ...edges.flatMap(({ from, to }) => [from, to])]);
  const kept = machine.states.filter((_, state) => used.has(state));
  return {
    id: machine.definition.id,
    initial: name(machine.initial),
    states: kept,
    final: new Set(kept.filter((state) => machine.final[machine.states.indexOf(state)] === true)),
    edges: edges.map((edge) => ({
      from: name(edge.from),
      to: name(edge.to),
      event: machine.types[edge.type] as string,
      origin: RANK.find((origin) => originsOf(edge).includes(origin) && (origins?.includes(origin) ?? true)) ?? 'live',
      before: edge.meta?.before,
    })),
    entry: new Map(edges.map((edge) => [name(edge.to), machine.types[edge.type] as string])),
  };
}

function originsOf<C>({ meta }: CompiledEdge<C>): readonly EdgeOrigin[] {
  return meta?.origin ?? ['live'];
}

/**
 * The machine as a Mermaid `stateDiagram-v2`: edges carry their event, and their origin if it is not live.
 *
 * @example
 * ```ts
 * import { makerSwap } from 'swapfold/machines';
 * import { compile, mermaidGraph } from 'swapfold/replay';
 *
 * const text = mermaidGraph(compile(makerSwap), { origins: ['live'] });
 * text.split('\n').filter((line) => line.includes('created -->')); // → [
 * //   '  created --> negotiating: Started',
 * //   '  created --> startFailed: StartFailed',
 * // ]
 * ```
 */
export function mermaidGraph<C, E extends MachineEvent>(
  machine: CompiledMachine<C, E>,
  options: GraphOptions = {},
): string {
  const graph = graphOf(machine, options);
  const lines = graph.edges.map(({ from, to, event, origin, before }) => {
    const until = origin === 'legacy' && before !== undefined ? ` until ${before}` : '';
    return `  ${from} --> ${to}: ${event}${origin === 'live' ? '' : ` (${origin}${until})`}`;
  });
  const ends = [...graph.final].map((state) => `  ${state} --> [*]`);
  return ['stateDiagram-v2', '  direction TB', `  [*] --> ${graph.initial}`, ...lines, ...ends, ''].join('\n');
}

/**
 * The machine in Graphviz's language: edges styled by origin, final states doubled, a legend.
 *
 * Every event leads into one state, so a box names the event that leads into it and edges need no text.
 *
 * @example
 * ```ts
 * import { watcherDefinition } from 'swapfold/machines';
 * import { compile, dotGraph } from 'swapfold/replay';
 *
 * const dot = dotGraph(compile(watcherDefinition));
 * /"created" -> "\w+"/.exec(dot)?.[0]; // → '"created" -> "validatingTakerFee"'
 * ```
 */
export function dotGraph<C, E extends MachineEvent>(
  machine: CompiledMachine<C, E>,
  options: GraphOptions = {},
): string {
  const graph = graphOf(machine, options);
  const drawn = RANK.filter((origin) => graph.edges.some((edge) => edge.origin === origin));
  return [
    `digraph ${quoted(graph.id)} {`,
    '  graph [rankdir=TB nodesep=0.3 ranksep=0.45 fontname="Helvetica" bgcolor=white pad=0.3]',
    '  node [shape=box style="rounded,filled" fillcolor="#f8fafc" color="#475569" fontname="Helvetica" fontsize=11',
    '    margin="0.22,0.06"]',
    '  edge [arrowsize=0.7 penwidth=1.3]',
    '  "[*]" [shape=circle style=filled fillcolor="#1f2937" width=0.2 label=""]',
    `  "[*]" -> ${quoted(graph.initial)}`,
    ...graph.states.map((state) => `  ${quoted(state)} [label=${labelOf(state, graph)}${lookOf(state, graph)}]`),
    ...graph.edges.map(
      (edge) =>
        `  ${quoted(edge.from)} -> ${quoted(edge.to)} [${STYLE[edge.origin]}${weightOf(edge, graph)} tooltip=${quoted(`${edge.event} (${edge.origin})`)}]`,
    ),
    ...legend(drawn, graph.initial),
    '}',
    '',
  ].join('\n');
}

// Plain text is centred by the viewer, whatever font it has; formatted text would start where the layout's font puts it.
function labelOf(state: string, graph: Graph): string {
  const entry = graph.entry.get(state);
  return entry === undefined ? quoted(state) : `"${state}\\n${entry}"`;
}

function weightOf({ to, origin }: Edge, graph: Graph): string {
  return origin !== 'live' || graph.final.has(to) || to.endsWith('Failed') ? '' : ' weight=5';
}

function lookOf(state: string, graph: Graph): string {
  if (graph.final.has(state)) return ' peripheries=2 fillcolor="#e2e8f0"';
  return graph.entry.get(state)?.endsWith('Failed') === true ? ' fillcolor="#fef2f2" color="#b91c1c"' : '';
}

/** Sample lines as a table of their own, so that the layout of the machine stays as it is. */
function legend(origins: readonly EdgeOrigin[], initial: string): string[] {
  const rows = origins.map((origin) => {
    const color = /#[0-9a-f]{6}/.exec(STYLE[origin])?.[0];
    const dash = STYLE[origin].includes('dashed') ? '╌╌╌' : STYLE[origin].includes('dotted') ? '┈┈┈' : '───';
    return `<tr><td><font color="${color}" point-size="16"><b>${dash}</b></font></td><td align="left">${MEANING[origin]}</td></tr>`;
  });
  const box = '<tr><td>box</td><td align="left">state, and the event that leads to it</td></tr>';
  const table = `<table border="0" cellborder="0" cellspacing="2">${box}${rows.join('')}</table>`;
  return [
    `  legend [shape=plain style="" fillcolor=none margin=0 label=<${table}>]`,
    `  { rank=same; "[*]"; legend }`,
    `  legend -> ${quoted(initial)} [style=invis]`,
  ];
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
