import { usageLine } from '../help.ts';
import type { RpcMethod } from '../method.ts';
import { optionalTextAt } from '../params.ts';

/** The method that describes all others, and itself. */
export function helpMethod(others: readonly RpcMethod[]): RpcMethod {
  const help: RpcMethod = {
    name: 'help',
    usage: '( "command" )',
    summary: 'Lists all commands, or describes one.',
    arity: [0, 1],
    run(params) {
      const all = [...others, help];
      const name = optionalTextAt(params, 0);
      if (name === undefined || name === '') return all.map(usageLine).sort().join('\n');
      const found = all.find((method) => method.name === name);
      if (found === undefined) return `help: unknown command: ${name.slice(0, 100)}`;
      return `${usageLine(found)}\n\n${found.summary}`;
    },
  };
  return help;
}
