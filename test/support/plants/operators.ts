import ts from 'typescript';

// Mistakes that a person makes in code about two legs, two parties, several clocks and several units, as changes of a syntax tree.
// Whether a change still compiles is for the caller to find out.

/** The kinds of mistake, in the order in which a table names them. */
export const OPERATORS = [
  'own/other',
  'maker/taker',
  'argument',
  'clock',
  'value',
  'unit',
  'off by one',
  'await',
  'branch',
  'step',
] as const;

export type Operator = (typeof OPERATORS)[number];

/** One change of one file: the characters from `start` to `end` become `text`. */
export type Change = {
  readonly operator: Operator;
  readonly start: number;
  readonly end: number;
  readonly text: string;
};

type Visit = (node: ts.Node, note: (operator: Operator, place: ts.Node, text: string) => void) => void;

/** What a name becomes when its legs or parties are confused; null where it names none. */
export function swappedName(name: string, [left, right]: readonly [string, string]): string | null {
  const capital = (word: string) => `${word[0]?.toUpperCase()}${word.slice(1)}`;
  const pairs = [
    [left, right],
    [capital(left), capital(right)],
  ] as const;
  const found = pairs.flatMap((pair) => [pair, [pair[1], pair[0]] as const]);
  let swapped = '';
  for (let at = 0; at < name.length; ) {
    const hit = found.find(([from]) => name.startsWith(from, at) && isWord(name, at, from));
    swapped += hit === undefined ? name[at] : hit[1];
    at += hit === undefined ? 1 : hit[0].length;
  }
  return swapped === name ? null : swapped;
}

/** Whether the letters stand as a word of a name: `own` in `ownTerms` and in `their_own`, not in `known` or `owner`. */
function isWord(name: string, at: number, word: string): boolean {
  const before = name[at - 1] ?? '';
  const after = name[at + word.length] ?? '';
  const starts = /[A-Z]/.test(word[0] ?? '') || !/[a-zA-Z]/.test(before);
  return starts && !/[a-z]/.test(after);
}

function isPlainUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return true;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isVariableDeclaration(parent) || ts.isParameter(parent)) return parent.initializer === node;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  return ts.isExpression(parent) || ts.isStatement(parent) || ts.isTemplateSpan(parent) || ts.isArrowFunction(parent);
}

const swaps =
  (operator: Operator, pair: readonly [string, string]): Visit =>
  (node, note) => {
    if (ts.isStringLiteral(node) && /^\w+$/.test(node.text) && !ts.isImportDeclaration(node.parent)) {
      const swapped = swappedName(node.text, pair);
      if (swapped !== null) note(operator, node, `'${swapped}'`);
    }
    if (!ts.isIdentifier(node) || !isPlainUse(node)) return;
    const swapped = swappedName(node.text, pair);
    if (swapped === null) return;
    note(operator, node, ts.isShorthandPropertyAssignment(node.parent) ? `${node.text}: ${swapped}` : swapped);
  };

/** Two neighbours of a call, or two members of an object, change places. */
const argument: Visit = (node, note) => {
  if (ts.isCallExpression(node) && node.arguments.length > 1) exchange(node.arguments, note);
  if (!ts.isObjectLiteralExpression(node)) return;
  const values = node.properties.filter(ts.isPropertyAssignment).map(({ initializer }) => initializer);
  exchange(values.filter(isName), note);
};

function exchange(nodes: readonly ts.Node[], note: Parameters<Visit>[1]): void {
  for (const [index, left] of nodes.entries()) {
    const right = nodes[index + 1];
    if (right === undefined || left.getText() === right.getText()) continue;
    const between = left.getSourceFile().text.slice(left.getEnd(), right.getStart());
    const file = left.getSourceFile();
    const span = { getStart: () => left.getStart(file), getEnd: () => right.getEnd() } as ts.Node;
    note('argument', span, `${right.getText()}${between}${left.getText()}`);
  }
}

function isName(node: ts.Node): boolean {
  return ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
}

/** A factor that turns one unit into another is forgotten. */
const unit: Visit = (node, note) => {
  if (ts.isCallExpression(node) && ['toMillis', 'toUnixSeconds'].includes(node.expression.getText())) {
    const [value] = node.arguments;
    const type = node.expression.getText() === 'toMillis' ? 'Millis' : 'UnixSeconds';
    if (value !== undefined) note('unit', node, `(${value.getText()} as number as ${type})`);
  }
  if (!ts.isBinaryExpression(node)) return;
  const { kind } = node.operatorToken;
  if (kind === ts.SyntaxKind.AsteriskToken || kind === ts.SyntaxKind.SlashToken) {
    note('unit', node, node.left.getText());
    note(
      'unit',
      node,
      `${node.left.getText()} ${kind === ts.SyntaxKind.SlashToken ? '*' : '/'} ${node.right.getText()}`,
    );
  }
  if (kind === ts.SyntaxKind.AsteriskAsteriskToken) note('unit', node, `${node.left.getText()} ** 8n`);
};

const EDGES: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
]);

const offByOne: Visit = (node, note) => {
  if (ts.isBinaryExpression(node)) {
    const edge = EDGES.get(node.operatorToken.kind);
    if (edge !== undefined) note('off by one', node.operatorToken, edge);
    const sum = [ts.SyntaxKind.PlusToken, ts.SyntaxKind.MinusToken].includes(node.operatorToken.kind);
    if (sum && /^1n?$/.test(node.right.getText())) note('off by one', node, node.left.getText());
  }
  if (ts.isCallExpression(node) && /\.at\(-1\)$/.test(node.getText())) {
    note('off by one', node, node.getText().replace(/\.at\(-1\)$/, '.at(0)'));
  }
  if (ts.isNumericLiteral(node) && /^\d{1,3}$/.test(node.text) && !ts.isPrefixUnaryExpression(node.parent)) {
    note('off by one', node, String(Number(node.text) + 1));
  }
};

const dropsAwait: Visit = (node, note) => {
  if (!ts.isAwaitExpression(node)) return;
  if (ts.isExpressionStatement(node.parent)) note('await', node, `void ${node.expression.getText()}`);
  else note('await', node, node.expression.getText());
};

const branch: Visit = (node, note) => {
  if (ts.isIfStatement(node)) {
    const { thenStatement, elseStatement } = node;
    note('branch', node, elseStatement === undefined ? ';' : thenStatement.getText());
    if (elseStatement !== undefined) note('branch', node, elseStatement.getText());
  }
  if (ts.isConditionalExpression(node)) {
    note('branch', node, `(${node.whenFalse.getText()})`);
    note('branch', node, `(${node.whenTrue.getText()})`);
  }
  if (ts.isCaseClause(node) && node.parent.clauses.length > 2) note('branch', node, '');
  if (!ts.isBinaryExpression(node)) return;
  const { AmpersandAmpersandToken, BarBarToken, QuestionQuestionToken } = ts.SyntaxKind;
  if (![AmpersandAmpersandToken, BarBarToken, QuestionQuestionToken].includes(node.operatorToken.kind as never)) return;
  note('branch', node, `(${node.left.getText()})`);
  note('branch', node, `(${node.right.getText()})`);
};

/** A step whose result nobody reads is forgotten. */
const step: Visit = (node, note) => {
  if (!ts.isExpressionStatement(node)) return;
  const { expression } = node;
  const assigns =
    ts.isBinaryExpression(expression) && ts.isPropertyAccessExpression(expression.left) && ts.isBlock(node.parent);
  if (ts.isCallExpression(expression) || assigns) note('step', node, ';');
};

const TIMES = new Set(['Millis', 'UnixSeconds', 'Height', 'Seconds']);

/** Another value of the same type, where one of the swap's or of a function's own is asked for. */
export function sameTypeChanges(file: ts.SourceFile, checker: ts.TypeChecker): readonly Change[] {
  const changes: Change[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (ts.isIdentifier(node) && isPlainUse(node) && !ts.isShorthandPropertyAssignment(node.parent)) {
      for (const text of substitutes(node, checker)) {
        const type = checker.typeToString(checker.getTypeAtLocation(node));
        const clock = TIMES.has(type) || /clock|now$|lock$|At$|Time$/i.test(node.text);
        changes.push({ operator: clock ? 'clock' : 'value', start: node.getStart(file), end: node.getEnd(), text });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return changes;
}

function substitutes(node: ts.Identifier, checker: ts.TypeChecker): readonly string[] {
  const type = checker.getTypeAtLocation(node);
  if (type.getCallSignatures().length > 0) return [];
  const { parent } = node;
  const fits = (symbol: ts.Symbol) =>
    symbol.name !== node.text && checker.isTypeAssignableTo(checker.getTypeOfSymbolAtLocation(symbol, node), type);
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
    const owner = checker.getTypeAtLocation(parent.expression);
    if (owner.getCallSignatures().length > 0 || !isOwn(owner.getSymbol()) || isText(type)) return [];
    return owner
      .getProperties()
      .filter(fits)
      .map(({ name }) => name);
  }
  if (ts.isPropertyAccessExpression(parent)) return [];
  const file = node.getSourceFile();
  return checker
    .getSymbolsInScope(node, ts.SymbolFlags.FunctionScopedVariable | ts.SymbolFlags.BlockScopedVariable)
    .filter(({ declarations }) => declarations?.[0]?.getSourceFile() === file)
    .filter(fits)
    .map(({ name }) => name);
}

/** A type that the package declares itself: what the language and its libraries declare is no place for such a mistake. */
function isOwn(symbol: ts.Symbol | undefined): boolean {
  const file = symbol?.declarations?.[0]?.getSourceFile().fileName ?? '';
  return file !== '' && !file.includes('/node_modules/');
}

function isText(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0;
}

const VISITS: readonly Visit[] = [
  swaps('own/other', ['own', 'other']),
  swaps('maker/taker', ['maker', 'taker']),
  argument,
  unit,
  offByOne,
  dropsAwait,
  branch,
  step,
];

/** Every change that the syntax alone allows, in the order of the text. */
export function syntaxChanges(file: ts.SourceFile): readonly Change[] {
  const changes: Change[] = [];
  const note = (operator: Operator, place: ts.Node, text: string): void => {
    const start = place.getStart(file);
    const end = place.getEnd();
    if (file.text.slice(start, end) !== text) changes.push({ operator, start, end, text });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    for (const look of VISITS) look(node, note);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return changes;
}
