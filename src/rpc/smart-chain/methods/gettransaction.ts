import { bytesToHex } from '../../../primitives/hex.ts';
import { isCoinbase } from '../../../smartchain/chain/check-transaction.ts';
import { waitingTokens } from '../../../smartchain/chain/mempool.ts';
import { ownerKey, scriptOwner } from '../../../smartchain/chain/script-owner.ts';
import type { SmartChain } from '../../../smartchain/node.ts';
import type { Transaction, TxOutput } from '../../../smartchain/transaction/transaction.ts';
import { keyOwners } from '../../../smartchain/wallet/coins.ts';
import { coins } from '../amount.ts';
import { confirmationsOf, findTransaction, type KnownTransaction } from '../chain-view.ts';
import type { NodeContext } from '../context.ts';
import type { RpcMethod } from '../method.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';
import { scriptAddresses } from '../script-json.ts';
import { joinSplitJson } from '../shielded-json.ts';
import { transactionIdAt } from '../transaction-param.ts';

type Members = Readonly<Record<string, unknown>>;

/** A transaction as the wallet sees it. */
export const gettransaction: RpcMethod = {
  name: 'gettransaction',
  usage: '"txid" ( includeWatchonly )',
  summary: 'Returns what a transaction means to the wallet.',
  arity: [1, 2],
  run(params, context) {
    const known = findTransaction(context.chain, transactionIdAt(params, 0));
    const view = known === undefined ? undefined : walletView(known, context);
    if (known === undefined || view === undefined) {
      throw new RpcError(RPC_CODE.addressOrKey, 'Invalid or non-wallet transaction id');
    }
    const { amount, fee, details } = view;
    const { txid, transaction, bytes } = known.identified;
    return {
      amount: coins(amount),
      ...(fee === undefined ? {} : { fee: coins(fee) }),
      ...placeOf(context.chain, known),
      expiryheight: transaction.expiryHeight,
      txid,
      walletconflicts: [],
      ...timesOf(context.chain, known),
      vjoinsplit: transaction.shielded.joinSplits.map(joinSplitJson),
      details,
      hex: bytesToHex(bytes),
    };
  },
};

type WalletView = {
  /** Satoshis that the wallet won or, below zero, gave away without the fee. */
  readonly amount: bigint;
  /** Satoshis, below zero; absent where the wallet paid none. */
  readonly fee: bigint | undefined;
  readonly details: readonly Members[];
};

function walletView(known: KnownTransaction, { chain, wallet }: NodeContext): WalletView | undefined {
  const { transaction } = known.identified;
  const owners = keyOwners(wallet.ring);
  const isOwn = ({ script }: TxOutput) => {
    const owner = scriptOwner(script);
    return owner !== undefined && owners.has(ownerKey(owner));
  };
  const debit = sum(spentOutputs(chain, transaction).filter(isOwn));
  const credit = sum(transaction.outputs.filter(isOwn));
  const concerns = debit > 0n || transaction.outputs.some(isOwn);
  if (!concerns) return undefined;
  const fee = debit > 0n ? sum(transaction.outputs) - debit : undefined;
  const listed = transaction.outputs.map((output, vout) => ({ output, vout }));
  // What comes back to the payer's own keys is change and no payment.
  const shown = listed.filter(({ output }) => isOwn(output) === (debit === 0n));
  const category = debit > 0n ? 'send' : receivedAs(chain, known);
  const details = shown.map(({ output, vout }) => detail(chain, { output, vout, category, fee, known }));
  return { amount: credit - debit - (fee ?? 0n), fee, details };
}

function receivedAs(chain: SmartChain, { record, identified }: KnownTransaction): string {
  if (!isCoinbase(identified.transaction)) return 'receive';
  const { rawconfirmations } = confirmationsOf(chain, record?.height ?? 0);
  return rawconfirmations > chain.params.maturity ? 'generate' : 'immature';
}

type Detail = {
  readonly output: TxOutput;
  readonly vout: number;
  readonly category: string;
  readonly fee: bigint | undefined;
  readonly known: KnownTransaction;
};

function detail(chain: SmartChain, { output, vout, category, fee, known }: Detail): Members {
  const [address] = scriptAddresses(output.script, chain.params.prefixes);
  return {
    account: '',
    ...(address === undefined ? {} : { address }),
    category,
    amount: coins(category === 'send' ? -output.value : output.value),
    vout,
    ...(fee === undefined ? {} : { fee: coins(fee) }),
    size: known.identified.bytes.length,
  };
}

function spentOutputs(chain: SmartChain, { inputs }: Transaction): TxOutput[] {
  const lookup = waitingTokens(chain.mempool(), chain.tree.ledger);
  return inputs.flatMap(({ txid, vout }) => lookup(txid)?.transaction.outputs[vout] ?? []);
}

function placeOf(chain: SmartChain, { record }: KnownTransaction): Members {
  if (record === undefined) return { rawconfirmations: 0, confirmations: 0 };
  const { confirmations, rawconfirmations } = confirmationsOf(chain, record.height);
  const block = chain.tree.ledger.blocks[record.height];
  return {
    rawconfirmations,
    confirmations,
    ...(record.coinbase ? { generated: true } : {}),
    blockhash: block?.hash,
    blockindex: record.position,
    blocktime: block?.header.time,
  };
}

/** The wallet keeps no time of arrival: what is confirmed came with its block. */
function timesOf(chain: SmartChain, { record, entry }: KnownTransaction): Members {
  const time = entry?.time ?? chain.tree.ledger.blocks[record?.height ?? 0]?.header.time;
  return { time, timereceived: time };
}

function sum(outputs: readonly TxOutput[]): bigint {
  return outputs.reduce((total, { value }) => total + value, 0n);
}
