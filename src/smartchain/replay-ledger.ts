import { type Millis, toUnixSeconds } from '../primitives/time.ts';
import { NO_BLOCK } from './chain/block.ts';
import { addSent, type SentTransactions } from './chain/sent.ts';
import {
  addBlock,
  type BlockNode,
  type BlockTree,
  endangersFinal,
  invalidateBlock,
  reconsiderBlock,
  rememberVerified,
  sealChain,
} from './chain/tree.ts';
import { checkSameRules } from './chain-rules.ts';
import { blockOf, damaged, type LedgerEvent, transactionOf } from './ledger-events.ts';

type Block = Extract<LedgerEvent, { type: 'BlockAccepted' }>['data'];

/** A record of the ledger, and where it stands. */
export type LedgerRecord = {
  readonly event: LedgerEvent;
  readonly stream: string;
  readonly seq: number;
  readonly at: Millis;
};

/** What the records of a ledger add up to. */
export type Replayed = { readonly tree: BlockTree; readonly sent: SentTransactions };

/**
 * Applies one record to the chain state after all earlier records.
 *
 * @throws SmartChainError SMARTCHAIN_OPTION_INVALID if the chain has other rules, SMARTCHAIN_LEDGER_DAMAGED if the record cannot follow the earlier
 * ones.
 */
export function replayRecord({ tree, sent }: Replayed, { event, stream, seq, at }: LedgerRecord): void {
  if ((event.type === 'ChainCreated') !== (seq === 0)) {
    throw damaged('A ledger starts with the rules of its chain, and holds them exactly once.', { stream, seq });
  }
  switch (event.type) {
    case 'ChainCreated':
      checkSameRules(tree.params, event.data.params);
      return;
    case 'BlockAccepted':
      replayBlock(tree, { ...event.data, stream });
      return;
    case 'BlockInvalidated': {
      const node = knownNode(tree, { ...event.data, stream });
      if (node.parent === undefined || endangersFinal(tree, node, 'invalid')) throw misplaced(node, stream);
      invalidateBlock(tree, node);
      return;
    }
    case 'BlockReconsidered':
      reconsiderBlock(tree, knownNode(tree, { ...event.data, stream }));
      return;
    case 'TransactionSent':
      addSent(sent, { ...transactionOf(event.data, stream), time: toUnixSeconds(at) });
      return;
    case 'BlockNotarized': {
      const node = knownNode(tree, { ...event.data, stream });
      if (!tree.ledger.heights.has(node.block.hash)) throw misplaced(node, stream);
      sealChain(tree, node);
    }
  }
}

function replayBlock(tree: BlockTree, data: Block & { readonly stream: string }): void {
  const { stream } = data;
  const block = blockOf(data, stream);
  const { previous } = block.header;
  const follows = tree.nodes.size === 0 ? previous === NO_BLOCK : tree.nodes.has(previous);
  if (!follows || tree.nodes.has(block.hash)) {
    throw damaged('A block does not follow from what the ledger holds before it.', { stream, block: block.hash });
  }
  // A child of the tip was written after its scripts had run, and the seal of the log shows that it was not changed. Scripts of blocks on other
  // branches run when they are connected, now as then.
  const ranThen = previous === (tree.tip?.block.hash ?? NO_BLOCK);
  if (ranThen) for (const { txid } of block.transactions) rememberVerified(tree, txid);
  addBlock(tree, block);
}

function knownNode({ nodes }: BlockTree, { hash, stream }: { hash: string; stream: string }): BlockNode {
  const node = nodes.get(hash);
  if (node === undefined)
    throw damaged('A record names a block that the ledger does not hold.', { stream, block: hash });
  return node;
}

function misplaced({ block }: BlockNode, stream: string) {
  return damaged('This block cannot be marked.', { stream, block: block.hash });
}
