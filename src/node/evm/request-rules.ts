// What holds for every request that activates a coin of an EVM chain, by a task or by `enable`.

/** How its nodes are reached. */
const NODE_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'ws:', 'wss:']);

/** What is wrong with the address of a node, in the words of the real node; null for nothing. `name` is how it is shown. */
export function nodeUrlProblem(url: string, name: string): string | null {
  if (!URL.canParse(url)) return `${name} could not be parsed.`;
  if (NODE_SCHEMES.has(new URL(url).protocol)) return null;
  return `Invalid node address '${name}'. Only http(s) and ws(s) nodes are supported`;
}

/** How the real node names the form of an address. */
export const A_CONTRACT = 'a 0x-prefixed hex string with length of 40';

/** Whether 40 hex digits, with 0x or without, are the address of nobody. */
export function isZeroAddress(address: string): boolean {
  return /^(?:0x)?0{40}$/.test(address);
}

export const V2_CONTRACTS_MISSING = 'swap_v2_contracts must be provided when using trading protocol v2';
export const V2_CONTRACT_ZERO = 'All swap_v2_contracts addresses must be non-zero';
