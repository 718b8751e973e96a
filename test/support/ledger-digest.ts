import { connectBlock } from '../../src/smartchain/chain/connect-block.ts';
import { emptyLedger, type Ledger } from '../../src/smartchain/chain/ledger.ts';

const sorted = <Value>(entries: Iterable<readonly [string, Value]>): (readonly [string, Value])[] =>
  [...entries].sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));

/** All that a ledger holds, as one text that does not depend on the order in which it came about. */
export function ledgerDigest(ledger: Ledger): string {
  const { blocks, heights, transactions, addresses, tokens } = ledger;
  const content = {
    blocks: blocks.map(({ hash }) => hash),
    heights: sorted(heights),
    transactions: sorted(transactions).map(([txid, record]) => {
      const { height, position, coinbase, token, spentBy, spendable } = record;
      const moved = token === undefined ? null : { ...token, outputs: [...token.outputs].sort((a, b) => a - b) };
      return { txid, height, position, coinbase, token: moved, spentBy: spentBy.map((by) => by ?? null), spendable };
    }),
    addresses: sorted(addresses).map(([owner, { balance, received, outputs, unspent }]) => {
      return [owner, balance, received, outputs, sorted(unspent).map(([name, { output }]) => [name, output.value])];
    }),
    tokens: sorted(tokens).map(([owner, { balance, unspent }]) => {
      return [owner, balance, sorted(unspent).map(([name, { amount }]) => [name, amount])];
    }),
  };
  return JSON.stringify(content, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

/** The ledger that the blocks of the active chain add up to when they are connected one after another to nothing. */
export function rebuiltLedger({ params, blocks }: Ledger): Ledger {
  const ledger = emptyLedger(params);
  for (const block of blocks) {
    const refusal = connectBlock(ledger, block, { isVerified: () => true });
    if (refusal !== undefined) throw new Error(`a block of the active chain is refused: ${JSON.stringify(refusal)}`);
  }
  return ledger;
}
