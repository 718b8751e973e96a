import { readShared } from './shared.ts';

/** The golden vectors of the smart-chain node, by the name of their file without its ending. */
export function nodeVectors<Vector>(name: string): readonly Vector[] {
  return (JSON.parse(readShared(`vectors/node/${name}.json`)) as { vectors: Vector[] }).vectors;
}
