import { isJsonObject, type JsonValue } from '../../primitives/json.ts';
import { jsonLine } from '../rows.ts';
import { cleanLines } from './text.ts';

/**
 * A result as the node's own client prints it: a text as it is, nothing for null, anything else as JSON with every member on a
 * line of its own. A terminal gets no control characters.
 */
export function rpcResultText(result: JsonValue, { terminal }: { readonly terminal: boolean }): string {
  if (result === null) return '';
  if (typeof result === 'string') return `${terminal ? cleanLines(result) : result}\n`;
  return `${pretty(result, '')}\n`;
}

/** What the node's own client prints of an error object. */
export function rpcErrorText({ code, message }: { readonly code: number; readonly message: string }): string {
  return `error code: ${code}\nerror message:\n${cleanLines(message)}\n`;
}

function pretty(value: JsonValue, indent: string): string {
  if (Array.isArray(value)) {
    const items = value.map((item: JsonValue) => pretty(item, `${indent}  `));
    return block(items, { open: '[', close: ']', indent });
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(
      ([name, member = null]) => `${leaf(name)}: ${pretty(member, `${indent}  `)}`,
    );
    return block(members, { open: '{', close: '}', indent });
  }
  return leaf(value);
}

type Brackets = { readonly open: string; readonly close: string; readonly indent: string };

/** An empty list or object takes two lines, as in the original. */
function block(items: readonly string[], { open, close, indent }: Brackets): string {
  const lines = items.map((item, index) => `${indent}  ${item}${index < items.length - 1 ? ',' : ''}\n`);
  return `${open}\n${lines.join('')}${indent}${close}`;
}

function leaf(value: JsonValue): string {
  return jsonLine(value).trimEnd();
}
