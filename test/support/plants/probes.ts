import ts from 'typescript';
import type { Place } from './places.ts';

type Insert = { readonly at: number; readonly text: string; readonly order: number };

/** The text of a file in which every place that is passed leaves its id in `globalThis.passed`. */
export function withProbes(file: string, text: string, places: readonly Place[]): string {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const inserts = places.flatMap((place, order) => probe(tree, place, order));
  return inserts
    .sort((left, right) => right.at - left.at || right.order - left.order)
    .reduce((done, { at, text: added }) => done.slice(0, at) + added + done.slice(at), text);
}

/** Around the nearest statement or body of an arrow function that holds the place. */
function probe(tree: ts.SourceFile, { start, end, id }: Place, order: number): readonly Insert[] {
  const call = `(globalThis.passed ??= new Set()).add('${id}')`;
  let node = nodeAt(tree, start, end);
  for (; node !== undefined && !ts.isSourceFile(node); node = node.parent) {
    if (ts.isArrowFunction(node.parent) && node.parent.body === node && !ts.isBlock(node)) {
      return around(node, tree, { open: `(${call}, (`, close: '))', order });
    }
    if (ts.isCaseClause(node) && node.statements[0] !== undefined) {
      return [{ at: node.statements[0].getStart(tree), text: `;${call};`, order }];
    }
    if (!ts.isStatement(node) || ts.isBlock(node) || ts.isFunctionDeclaration(node)) continue;
    const { parent } = node;
    if (ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isCaseOrDefaultClause(parent)) {
      return [{ at: node.getStart(tree), text: `;${call};`, order }];
    }
    return around(node, tree, { open: `{${call};`, close: '}', order });
  }
  return [];
}

function around(
  node: ts.Node,
  tree: ts.SourceFile,
  { open, close, order }: { readonly open: string; readonly close: string; readonly order: number },
): readonly Insert[] {
  return [
    { at: node.getStart(tree), text: open, order },
    { at: node.getEnd(), text: close, order: -order },
  ];
}

function nodeAt(tree: ts.SourceFile, start: number, end: number): ts.Node {
  let found: ts.Node = tree;
  const visit = (node: ts.Node): void => {
    if (node.getStart(tree) <= start && end <= node.getEnd()) {
      found = node;
      ts.forEachChild(node, visit);
    }
  };
  ts.forEachChild(tree, visit);
  return found;
}
