import { expect, it } from 'vitest';
import type { DaemonAnswer, DaemonClient } from '../../../../../src/chains/utxo/daemon/client.ts';
import { createDaemonContracts } from '../../../../../src/chains/utxo/qrc20/daemon-contracts.ts';
import { TRANSFER_TOPIC, topicOfAccount } from '../../../../../src/htlc/contract-events.ts';
import { unixSecondsOf } from '../../../../../src/primitives/time.ts';

const [TOKEN, PAYER, PAID] = ['d3'.repeat(20), '0a'.repeat(20), '0b'.repeat(20)];
const RECEIPT = {
  blockNumber: 812,
  transactionHash: 'fe'.repeat(32),
  outputIndex: 1,
  from: 'cc'.repeat(20),
  excepted: 'None',
  log: [
    {
      address: TOKEN,
      topics: [TRANSFER_TOPIC, topicOfAccount(PAYER), topicOfAccount(PAID)],
      data: '07'.padStart(64, '0'),
    },
  ],
};

/** A node that compares topics place by place, as Qtum's does: one that is the same is enough. */
const client: DaemonClient = {
  batch: async (calls) =>
    calls.map((call): DaemonAnswer => {
      const { topics } = call[4] as { readonly topics: readonly (string | null)[] };
      const isFound = topics.some((one, place) => one !== null && RECEIPT.log[0]?.topics[place] === one);
      return { result: isFound ? [RECEIPT] : [] };
    }),
};

it.each([
  ['sent', PAYER, 1],
  ['got', PAID, 1],
  ['had nothing of', 'ee'.repeat(20), 0],
])('a node finds where an account %s tokens', async (_, account, count) => {
  const look = createDaemonContracts(client).look({ hash: 'aa', height: 820, clock: unixSecondsOf(1_700_000_000) });
  const found = await look.transfers({ account, token: TOKEN, from: 800 });
  expect(found).toEqual(Array(count).fill({ txid: 'fe'.repeat(32), height: 812 }));
});
