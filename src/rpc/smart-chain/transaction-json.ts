import { bytesToHex } from '../../primitives/hex.ts';
import { waitingTokens } from '../../smartchain/chain/mempool.ts';
import type { SmartChain } from '../../smartchain/node.ts';
import { coins, whole } from './amount.ts';
import { confirmationsOf, type KnownTransaction } from './chain-view.ts';
import { type ChainFacts, decodedTransaction, type SpentMembers } from './decoded-transaction.ts';
import { scriptAddresses } from './script-json.ts';

/**
 * A transaction as verbose getrawtransaction prints it, in the layout of a node with its spent index on: inputs name value and
 * address of what they spend, outputs name who spent them, and the block comes last.
 */
export function chainTransactionJson(chain: SmartChain, known: KnownTransaction): Readonly<Record<string, unknown>> {
  const hex = bytesToHex(known.identified.bytes);
  const { identified, record } = known;
  const { txid, transaction } = identified;
  const facts = { ...spentFacts(chain, record), head: { last_notarized_height: chain.notarizedHeight() } };
  const options = { txid, prefixes: chain.params.prefixes, satoshis: 'valueSat', facts } as const;
  return { hex, ...decodedTransaction(transaction, options), ...blockMembers(chain, record) };
}

const UNKNOWN: SpentMembers = { payer: {}, amount: {} };

function spentFacts(chain: SmartChain, record: KnownTransaction['record']): ChainFacts {
  const lookup = waitingTokens(chain.mempool(), chain.tree.ledger);
  return {
    spent: ({ txid, vout }) => {
      const output = lookup(txid)?.transaction.outputs[vout];
      if (output === undefined) return UNKNOWN;
      const [address] = scriptAddresses(output.script, chain.params.prefixes);
      const amount = { value: coins(output.value), valueSat: whole(output.value) };
      return { payer: address === undefined ? {} : { address }, amount };
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
