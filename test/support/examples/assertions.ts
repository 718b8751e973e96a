import ts from 'typescript';

/** What an example says of one of its expressions: `EXPRESSION; // → VALUE` or `EXPRESSION; // throws NAME`. */
type Assertion = {
  readonly kind: 'is' | 'throws';
  readonly expected: string;
  readonly start: number;
  readonly end: number;
  readonly commentEnd: number;
};

/** Names of the two functions that a checked example calls. */
export const IS = '$is';
export const THROWS = '$throws';

/** Declares these functions to the compiler. */
export const CHECKS = `declare function ${IS}(line: number, actual: unknown, expected: unknown): Promise<void>;
declare function ${THROWS}(line: number, act: () => unknown, name: string): Promise<void>;
`;

const MARK = /\/\/ (→|throws) ?(.*)$/;
/** A value goes on in the comments below that are indented by three blanks or more, and may close in one that begins with a bracket. */
const CONTINUED = /^\s*\/\/( {3,}.*| [\])}].*)$/;

/** An example in which calls take the place of its assertions, line by line. Throws where it has none, or a comment looks like one. */
export function checkedText(text: string): string {
  const file = ts.createSourceFile('example.ts', text, ts.ScriptTarget.ES2023, true);
  const assertions: Assertion[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isExpressionStatement(node)) assertions.push(...assertionOf(text, node));
    ts.forEachChild(node, visit);
  };
  visit(file);
  const marks = text.split('\n').filter((line) => MARK.test(line)).length;
  if (marks === 0) throw new Error('it asserts nothing');
  if (marks !== assertions.length) {
    throw new Error(
      `${marks - assertions.length} comments with → or throws stand behind no statement of one expression`,
    );
  }
  let checked = text;
  for (const { kind, expected, start, end, commentEnd } of assertions.toReversed()) {
    const line = file.getLineAndCharacterOfPosition(start).line;
    const expression = text.slice(start, end).replace(/;$/, '');
    const call =
      kind === 'is'
        ? `await ${IS}(${line}, (${expression}), (${expected}));`
        : `await ${THROWS}(${line}, async () => (${expression}), ${JSON.stringify(expected.trim())});`;
    checked = `${checked.slice(0, start)}${call}${checked.slice(commentEnd)}`;
  }
  return checked;
}

/** The lines of the assertions in a checked text, from 0. */
export function assertedLines(checked: string): readonly number[] {
  return [...checked.matchAll(/await \$(?:is|throws)\((\d+), /g)].map(([, line]) => Number(line));
}

function assertionOf(text: string, node: ts.ExpressionStatement): readonly Assertion[] {
  const [comment] = ts.getTrailingCommentRanges(text, node.end) ?? [];
  const mark = comment === undefined ? null : MARK.exec(text.slice(comment.pos, comment.end));
  if (comment === undefined || mark === null) return [];
  const [, sign, first = ''] = mark;
  const lines = [first];
  let { end: commentEnd } = comment;
  for (const line of text.slice(commentEnd + 1).split('\n')) {
    const more = CONTINUED.exec(line)?.[1];
    if (more === undefined) break;
    lines.push(more);
    commentEnd += 1 + line.length;
  }
  const kind = sign === '→' ? 'is' : 'throws';
  return [{ kind, expected: lines.join('\n'), start: node.getStart(), end: node.end, commentEnd }];
}
