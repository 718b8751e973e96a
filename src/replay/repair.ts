import type { MachineEvent } from '../../machines/definition.ts';
import { type CompiledEdge, type CompiledMachine, hasOnly } from './compile.ts';

/** The longest run of missing events to propose; beyond it, the misplaced event is the likelier fault. */
const MAX_MISSING = 4;

/**
 * The smallest change that makes an illegal event legal: the fewest events before it that lead from the state to one that accepts it, and so are most
 * likely missing; else its removal. Missing events must be found, in a backup or the other party's log, and never invented.
 */
export function nearestRepair<C, E extends MachineEvent>(
  machine: CompiledMachine<C, E>,
  at: { readonly state: number; readonly type: number; readonly seq: number; readonly ownLog: boolean },
): string {
  const missing = shortestGap(likelyEdges(machine, at), at);
  const name = machine.types[at.type];
  if (missing === undefined) return `remove ${name} at ${at.seq}`;
  return `restore the missing ${missing.map((type) => machine.types[type]).join(', ')} before ${name} at ${at.seq}`;
}

/**
 * Edges that missing events may have taken, whatever the rest of the log says; in a foreign log, none that only this engine emits.
 */
function likelyEdges<C, E extends MachineEvent>(
  { edges }: CompiledMachine<C, E>,
  { ownLog }: { readonly ownLog: boolean },
): readonly CompiledEdge<C>[] {
  return edges.filter(({ guard, meta }) => guard === undefined && (ownLog || !hasOnly(meta, 'engine')));
}

/** Breadth-first search for the fewest event types between a state and one that accepts the given type. */
function shortestGap<C>(
  edges: readonly CompiledEdge<C>[],
  { state, type }: { readonly state: number; readonly type: number },
): readonly number[] | undefined {
  const seen = new Set([state]);
  let frontier: { readonly state: number; readonly path: readonly number[] }[] = [{ state, path: [] }];
  for (let depth = 0; depth <= MAX_MISSING && frontier.length > 0; depth++) {
    const next: typeof frontier = [];
    for (const node of frontier) {
      const leaving = edges.filter(({ from }) => from === node.state);
      if (leaving.some((edge) => edge.type === type)) return node.path;
      for (const edge of leaving) {
        if (seen.has(edge.to)) continue;
        seen.add(edge.to);
        next.push({ state: edge.to, path: [...node.path, edge.type] });
      }
    }
    frontier = next;
  }
  return undefined;
}
