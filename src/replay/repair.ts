import type { MachineEvent } from '../../machines/definition.ts';
import { type CompiledMachine, REFUSED } from './compile.ts';

/** Longest run of missing events that is proposed; beyond it the misplaced event is the likelier fault. */
const MAX_MISSING = 4;

/**
 * The smallest change that makes an illegal event legal: the fewest events that, standing before it, lead from the state
 * to one that takes it, and so are the likeliest to be missing; else its removal. What is missing must be found, in a
 * backup or the other party's log, and never be made up.
 */
export function nearestRepair<C, E extends MachineEvent>(
  machine: CompiledMachine<C, E>,
  at: { readonly state: number; readonly type: number; readonly seq: number },
): string {
  const missing = shortestGap(machine, at);
  const name = machine.types[at.type];
  if (missing === undefined) return `remove ${name} at ${at.seq}`;
  return `restore the missing ${missing.map((type) => machine.types[type]).join(', ')} before ${name} at ${at.seq}`;
}

/** Breadth-first search for the fewest event types between a state and one that takes the given type. */
function shortestGap<C, E extends MachineEvent>(
  machine: CompiledMachine<C, E>,
  { state, type }: { readonly state: number; readonly type: number },
): readonly number[] | undefined {
  const seen = new Set([state]);
  let frontier: { readonly state: number; readonly path: readonly number[] }[] = [{ state, path: [] }];
  for (let depth = 0; depth <= MAX_MISSING && frontier.length > 0; depth++) {
    const next: typeof frontier = [];
    for (const node of frontier) {
      if (takes(machine, node.state, type)) return node.path;
      for (const edge of machine.edges) {
        if (edge.from !== node.state || seen.has(edge.to)) continue;
        seen.add(edge.to);
        next.push({ state: edge.to, path: [...node.path, edge.type] });
      }
    }
    frontier = next;
  }
  return undefined;
}

function takes<C, E extends MachineEvent>(machine: CompiledMachine<C, E>, state: number, type: number): boolean {
  return machine.cells[state * machine.types.length + type] !== REFUSED;
}
