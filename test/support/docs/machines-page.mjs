import {
  enableEthDefinition,
  enableEthInvariants,
  enableTendermintDefinition,
  enableTendermintInvariants,
  makerSwap,
  makerSwapInvariants,
  takerSwap,
  takerSwapInvariants,
  watcherDefinition,
  watcherInvariants,
} from '../../../dist/machines/index.js';
import { compile } from '../../../dist/src/replay/compile.js';
import { mermaidGraph } from '../../../dist/src/replay/graph.js';
import { GENERATED, table } from './markdown.mjs';

const MACHINES = [
  [takerSwap, takerSwapInvariants],
  [makerSwap, makerSwapInvariants],
  [watcherDefinition, watcherInvariants],
  [enableEthDefinition, enableEthInvariants],
  [enableTendermintDefinition, enableTendermintInvariants],
];

export function machinesPage() {
  const sections = MACHINES.map(([definition, invariants]) => {
    const machine = compile(definition);
    const edges = machine.edges.map(({ from, type, to, meta }) => [
      `\`${machine.states[from]}\``,
      `\`${machine.types[type]}\``,
      `\`${machine.states[to]}\``,
      [(meta?.origin ?? []).join(', '), ...notesOn(meta ?? {})].join(' '),
    ]);
    return [
      `## ${definition.id}`,
      '',
      `${machine.states.length} states, ${machine.types.length} event types, ${machine.edges.length} edges.`,
      '',
      '```mermaid',
      mermaidGraph(machine).trimEnd(),
      '```',
      '',
      table(['in state', 'event', 'leads to', 'origin'], edges),
      '',
      '### Invariants',
      '',
      ...invariants.map(({ id, text }) => `- **${id}** ${text}`),
      '',
    ];
  });
  return [
    '# Machines',
    '',
    GENERATED,
    '',
    'Each edge names its origin:',
    '',
    '- `spec`: the specification states this order.',
    '- `live`: the real node emits it.',
    '- `restart`: the real node emits it only after a restart.',
    '- `legacy`: older releases stored it until the given month.',
    '- `engine`: this engine emits it live, and no release of the real node does. The engine continues where',
    '  the real node ends a swap with money still in reach. Some of these edges are legal only after, or only',
    '  without, certain events earlier in the log.',
    '',
    ...sections.flat(),
  ].join('\n');
}

function notesOn({ before, after, without }) {
  return [
    before === undefined ? [] : [`(until ${before})`],
    after === undefined ? [] : [`(only after ${named(after)})`],
    without === undefined ? [] : [`(only without ${named(without)} before)`],
  ].flat();
}

function named(types) {
  return types.map((type) => `\`${type}\``).join(' or ');
}
