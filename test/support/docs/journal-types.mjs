import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { table } from './markdown.mjs';

// The engine writes its journal itself and never reads a stranger's, so its payloads are types alone: read from the source.
const path = new URL('../../../src/events/journal.ts', import.meta.url);
const source = ts.createSourceFile('journal.ts', readFileSync(path, 'utf8'), ts.ScriptTarget.ES2023, true);

/** Every event of the engine with when it comes and what it holds. */
export function journalTable() {
  const rows = membersOf('JournalPayloads').map(({ name, doc, type }) => [`\`${name}\``, doc, dataOf(type)]);
  return table(['event', 'when', 'data'], rows);
}

export function requestTable() {
  const rows = membersOf('SwapRequest').map(({ name, doc, type }) => [`\`${name}\``, typeText(type), doc]);
  return table(['member', 'value', 'meaning'], rows);
}

function membersOf(alias) {
  const found = source.statements.find((node) => ts.isTypeAliasDeclaration(node) && node.name.text === alias);
  return found.type.members.map((member) => ({
    name: member.name.getText(),
    doc: ts
      .getJSDocCommentsAndTags(member)
      .map(({ comment }) => String(comment).replace(/\s+/g, ' '))
      .join(' '),
    type: member.type,
  }));
}

function dataOf(type) {
  if (!ts.isTypeLiteralNode(type)) return type.getText();
  return type.members.map((member) => `\`${member.name.getText()}\` ${typeText(member.type)}`).join('; ');
}

const WORDS = {
  DecimalText: 'decimal',
  Millis: 'milliseconds',
  string: 'text',
  boolean: 'true or false',
  unknown: 'any',
  // The page has its members below that name.
  StoredTransaction: 'Transaction',
};

function typeText(type) {
  const text = type
    .getText()
    .replace(/readonly /g, '')
    .replace(/\s+/g, ' ');
  return text
    .replace(/\b(DecimalText|Millis|string|boolean|unknown|StoredTransaction)\b/g, (word) => WORDS[word])
    .replaceAll(' | ', ' or ');
}
