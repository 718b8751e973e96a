import { countArgument, hashArgument, hexArgument, truthArgument } from '../arguments.ts';
import { answerOfDaemon, askDaemon } from '../ask-daemon.ts';
import { merkleProof } from '../merkle.ts';
import type { ElectrumMethod } from '../method.ts';
import { bad } from '../rpc-error.ts';
import { blockAt } from './headers.ts';

const ID = 'a transaction hash of 64 hex digits';

const get: ElectrumMethod = {
  name: 'blockchain.transaction.get',
  params: ['tx_hash', 'verbose'],
  least: 1,
  async run([given, verbose], { context }) {
    const txid = hashArgument(given, ID);
    if (truthArgument(verbose, 'verbose')) return askDaemon(context, ['getrawtransaction', txid, 1]);
    return context.reader.index.get(txid)?.hex ?? (await askDaemon(context, ['getrawtransaction', txid, 0]));
  },
};

const broadcast: ElectrumMethod = {
  name: 'blockchain.transaction.broadcast',
  params: ['raw_tx'],
  least: 1,
  async run([given], { context }) {
    const hex = hexArgument(given, 'raw_tx');
    const answer = await answerOfDaemon(context, ['sendrawtransaction', hex]);
    if ('error' in answer) {
      throw bad(`the transaction was rejected by network rules.\n\n${answer.error.message}\n[${hex}]`);
    }
    // Whoever has sent it may ask for it next. Where the daemon falls silent now, the transaction is sent all the same.
    await context.follower.look().catch(() => undefined);
    return answer.result;
  },
};

const getMerkle: ElectrumMethod = {
  name: 'blockchain.transaction.get_merkle',
  params: ['tx_hash', 'height'],
  least: 2,
  run([given, at], { context }) {
    const txid = hashArgument(given, ID);
    const height = countArgument(at, { name: 'height' });
    const { txids, hash } = blockAt(context, height);
    const pos = txids.indexOf(txid);
    if (pos < 0) throw bad(`tx ${txid} not in block ${hash} at height ${height}`);
    return { block_height: height, merkle: merkleProof(txids, pos).branch, pos };
  },
};

const idFromPos: ElectrumMethod = {
  name: 'blockchain.transaction.id_from_pos',
  params: ['height', 'tx_pos', 'merkle'],
  least: 2,
  run([at, place, withProof], { context }) {
    const height = countArgument(at, { name: 'height' });
    const pos = countArgument(place, { name: 'tx_pos' });
    const wanted = truthArgument(withProof, 'merkle');
    const { txids, hash } = blockAt(context, height);
    const txid = txids[pos];
    if (txid === undefined) throw bad(`no tx at position ${pos} in block ${hash} at height ${height}`);
    return wanted ? { tx_hash: txid, merkle: merkleProof(txids, pos).branch } : txid;
  },
};

export const TRANSACTION_METHODS: readonly ElectrumMethod[] = [get, broadcast, getMerkle, idFromPos];
