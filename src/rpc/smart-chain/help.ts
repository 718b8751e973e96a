import type { RpcMethod } from './method.ts';

/** Methods of the token module answer a wrong count of parameters with one short line, as on the node. */
const TOKEN_METHOD = /^token/;

/** How a method is called, in one line. */
export function usageLine({ name, usage }: Pick<RpcMethod, 'name' | 'usage'>): string {
  return usage === '' ? name : `${name} ${usage}`;
}

/** The answer to a wrong number of parameters. */
export function helpText(method: RpcMethod): string {
  const line = usageLine(method);
  return TOKEN_METHOD.test(method.name) ? `${line}\n` : `${line}\n\n${method.summary}\n`;
}
