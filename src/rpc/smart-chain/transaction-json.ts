import { bytesToHex } from '../../primitives/hex.ts';
import { waitingTokens } from '../../smartchain/chain/mempool.ts';
import type { SmartChain } from '../../smartchain/node.ts';
import { coins, whole } from './amount.ts';
import { confirmationsOf, type KnownTransaction } from './chain-view.ts';
import { type ChainFacts, decodedTransaction } from './decoded-transaction.ts';
import { scriptAddresses } from './script-json.ts';

/**
 * A transaction as verbose getrawtransaction prints it, in the layout of a node with its spent index on: inputs name value and
 * address of what they spend, outputs name who spent them, and the block comes last.
 */
export function chainTransactionJson(chain: SmartChain, known: KnownTransaction): Readonly<Record<string, unknown>> {
  const hex = bytesToHex(known.identified.bytes);
  return { hex, ...detailedTransaction(chain, known), ...blockMembers(chain, known.record) };
}

/** The same without its bytes and its block, as getblock of level 2 prints it. */
export function detailedTransaction(
  chain: SmartChain,
  { identified, record }: Pick<KnownTransaction, 'identified' | 'record'>,
): Readonly<Record<string, unknown>> {
  const { txid, transaction } = identified;
  const facts = spentFacts(chain, record);
  return decodedTransaction(transaction, { txid, prefixes: chain.params.prefixes, satoshis: 'valueSat', facts });
}

function spentFacts(chain: SmartChain, record: KnownTransaction['record']): ChainFacts {
  const lookup = waitingTokens(chain.mempool(), chain.tree.ledger);
  return {
    input: ({ txid, vout }) => {
      const output = lookup(txid)?.transaction.outputs[vout];
      if (output === undefined) return {};
      const [address] = scriptAddresses(output.script, chain.params.prefixes);
      const owner = address === undefined ? {} : { address };
      return { value: coins(output.value), valueSat: whole(output.value), ...owner };
    },
    output: (vout) => {
      const spender = record?.spentBy[vout];
      if (spender === undefined) return {};
      return { spentTxId: spender.txid, spentIndex: spender.input, spentHeight: spender.height };
    },
  };
}

function blockMembers(chain: SmartChain, record: KnownTransaction['record']): Readonly<Record<string, unknown>> {
  const block = record === undefined ? undefined : chain.tree.ledger.blocks[record.height];
  if (record === undefined || block === undefined) return {};
  const { time } = block.header;
  const { height } = record;
  return { blockhash: block.hash, height, ...confirmationsOf(chain, height), time, blocktime: time };
}
