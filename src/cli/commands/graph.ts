import { enableEthDefinition } from '../../../machines/activation/enable-eth/definition.ts';
import { enableTendermintDefinition } from '../../../machines/activation/enable-tendermint/definition.ts';
import type { MachineEvent } from '../../../machines/definition.ts';
import type { EdgeOrigin } from '../../../machines/graph.ts';
import { makerSwap } from '../../../machines/maker-swap/definition.ts';
import { takerSwap } from '../../../machines/taker-swap/definition.ts';
import { watcherDefinition } from '../../../machines/watcher/definition.ts';
import { writeFileAtomically } from '../../log/files/write-file.ts';
import { optionalPackage } from '../../primitives/optional-package.ts';
import { type CompiledMachine, compile } from '../../replay/compile.ts';
import { dotGraph, mermaidGraph } from '../../replay/graph.ts';
import { cleanedUp } from '../interrupt.ts';
import { type CliIo, EXIT, type ExitCode } from '../io.ts';
import { createOutput } from '../output.ts';
import { clean } from '../render/text.ts';
import { note } from '../voice.ts';

export type GraphCommandOptions = {
  readonly format: 'mermaid' | 'dot' | 'svg';
  readonly origin?: readonly EdgeOrigin[];
  readonly out?: string;
  readonly force?: boolean;
};

/** `swapfold graph`: a machine as a picture. */
export async function graphCommand(
  machine: string,
  { io, format, origin, out, force = false }: GraphCommandOptions & { readonly io: CliIo },
): Promise<ExitCode> {
  const text = await drawn(machine, { format, ...(origin === undefined ? {} : { origins: origin }) });
  if (out === undefined) {
    const output = createOutput(io.stdout);
    await output.write(text);
    await output.flush();
  } else {
    await cleanedUp(() => writeFileAtomically(out, text, { force }));
    note(io, `Wrote ${clean(out)}.\n`);
  }
  return EXIT.ok;
}

type Drawing = { readonly format: GraphCommandOptions['format']; readonly origins?: readonly EdgeOrigin[] };

function drawn(machine: string, drawing: Drawing): Promise<string> | string {
  // Each machine has its own types of context and event, so each is compiled on its own.
  if (machine === 'taker-swap') return pictureOf(compile(takerSwap), drawing);
  if (machine === 'maker-swap') return pictureOf(compile(makerSwap), drawing);
  if (machine === 'watcher') return pictureOf(compile(watcherDefinition), drawing);
  if (machine === 'enable-tendermint') return pictureOf(compile(enableTendermintDefinition), drawing);
  return pictureOf(compile(enableEthDefinition), drawing);
}

async function pictureOf<C, E extends MachineEvent>(
  compiled: CompiledMachine<C, E>,
  { format, ...options }: Drawing,
): Promise<string> {
  if (format === 'mermaid') return mermaidGraph(compiled, options);
  const dot = dotGraph(compiled, options);
  if (format === 'dot') return dot;
  const { Graphviz } = await optionalPackage('@hpcc-js/wasm-graphviz', () => import('@hpcc-js/wasm-graphviz'));
  const graphviz = await Graphviz.load();
  return graphviz.layout(dot, 'svg', 'dot');
}
