import { connectDaemon } from '../../../src/chains/utxo/daemon/client.ts';
import { p2pkhScript } from '../../../src/htlc/index.ts';
import type { DecodedTransaction } from '../../../src/htlc/transaction.ts';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { hash160 } from '../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import type { JsonObject } from '../../../src/primitives/json.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { millisOf } from '../../../src/primitives/time.ts';
import { tipHeight } from '../../../src/smartchain/chain/ledger.ts';
import { chooseByPackage } from '../../../src/smartchain/chain/packages.ts';
import type { ChainParams } from '../../../src/smartchain/params.ts';
import { contextOf, nodeOverHttp } from '../node-over-http.ts';
import { blockOn, largestCoin, mineBlocks, reasonOf, spend, submit, testChain } from '../smart-chain.ts';
import type { MatrixChain, ToldTransaction } from './chain.ts';
import { OUTPUT_BOOKS } from './ledger.ts';

export type EmbeddedTerms = {
  readonly params: Partial<ChainParams>;
  readonly blockTime: number;
  readonly txfee: number;
  readonly decimals: number;
  /** What else a coins file says. */
  readonly entry: JsonObject;
};

const START = 1_700_000_000;

/** Our smart chain behind its own HTTP. */
export async function startEmbeddedNode({
  params,
  blockTime,
  txfee,
  decimals,
  entry,
}: EmbeddedTerms): Promise<MatrixChain> {
  let seconds = START;
  const test = await testChain({
    log: createMemoryLog(),
    offersSent: false,
    now: () => millisOf(seconds * 1000),
    params,
  });
  await mineBlocks(test, 5);
  const context = await contextOf(test.chain);
  const http = await nodeOverHttp(context);
  const client = connectDaemon({ url: http.url, user: 'user', password: new Secret('password') });
  const ledger = () => test.chain.tree.ledger;
  const height = (): number => tipHeight(ledger());
  const nodeAt = (at: number) => {
    const node = test.chain.tree.nodes.get(ledger().blocks[at]?.hash ?? '');
    if (node === undefined) throw new Error(`no block ${at}`);
    return node;
  };
  const mineDear = async (least: number): Promise<void> => {
    const all = [...test.chain.mempool().entries.values()];
    const weighed = all.map(({ txid, fee, bytes, parents }) => ({ txid, fee, size: bytes.length, checks: 0, parents }));
    const dear = chooseByPackage(weighed, { room: 1_000_000, checks: 1, least: BigInt(least * 1000) });
    const transactions = all.filter(({ txid }) => dear.has(txid));
    const tip = nodeAt(height());
    const header = { time: Math.max(seconds, tip.block.header.time + 1) };
    const answer = await test.chain.submitBlock(blockOn(tip, test.chain, { transactions, header }));
    if ('refused' in answer) throw new Error(reasonOf(answer.refused));
  };
  return {
    entry: { mm2: 1, txfee, decimals, avg_blocktime: blockTime, protocol: { type: 'UTXO' }, ...entry },
    conf: `rpcuser=user\nrpcpassword=password\nrpcport=${new URL(http.url).port}\n`,
    url: http.url,
    client,
    blockTime,
    decimals,
    books: OUTPUT_BOOKS,
    replaces: false,
    height: async () => height(),
    time: async () => nodeAt(height()).block.header.time,
    async mine(at, least) {
      seconds = at;
      if (least === undefined) await mineBlocks(test, 1);
      else await mineDear(least);
    },
    async takeBack(blocks) {
      await test.chain.mark(nodeAt(height() - blocks + 1), 'invalid');
    },
    async restart() {
      context.chain = await test.restart();
    },
    async fund(key, { count, value }) {
      const [first] = test.keys;
      const coin = largestCoin(test, first);
      const script = p2pkhScript(hash160(key));
      const paid = Array.from({ length: count }, () => ({ value, script }));
      const change = coin.output.value - BigInt(count) * value - 100_000n;
      submit(test, spend(test, { coins: [coin], outputs: [...paid, { value: change, script: coin.output.script }] }));
      await mineBlocks(test, 1);
    },
    scriptOf: (key) => bytesToHex(p2pkhScript(hash160(key))),
    blocksAbove: async (from) =>
      ledger()
        .blocks.slice(from + 1)
        .map(({ hash, transactions }, place) => ({
          height: from + 1 + place,
          hash,
          transactions: transactions.slice(1).map(({ txid, transaction }) => toldOf(txid, transaction)),
        })),
    waiting: async () =>
      [...test.chain.mempool().entries.values()].map(({ txid, transaction }) => toldOf(txid, transaction)),
    counted: async () => null,
    answer: http.answer,
    stop: () => http.close(),
  };
}

function toldOf(txid: string, { inputs, outputs }: DecodedTransaction): ToldTransaction {
  return {
    txid,
    inputs: inputs.map(({ scriptSig, ...outpoint }) => ({
      ...outpoint,
      scriptSig: bytesToHex(scriptSig),
      witness: [],
    })),
    outputs: outputs.map(({ value, script }) => ({ value, script: bytesToHex(script) })),
  };
}
