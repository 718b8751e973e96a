import { readFileSync } from 'node:fs';
import { FRAMEWORK_METHODS, openRpcDocument } from '../../../dist/src/rpc/index.js';

/** The interface of the trading node as an OpenRPC document. */
export function openRpcPage() {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  const summaries = new Map(FRAMEWORK_METHODS.map(({ name, summary }) => [name, summary]));
  return `${JSON.stringify(openRpcDocument({ version, summaries }), null, 2)}\n`;
}
