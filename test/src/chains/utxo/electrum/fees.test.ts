import { expect, it } from 'vitest';
import type { FeeQuestion } from '../../../../../src/chains/utxo/coin.ts';
import type { ElectrumAnswer, ElectrumCall } from '../../../../../src/chains/utxo/electrum/connection.ts';
import type { ElectrumBackend } from '../../../../../src/chains/utxo/electrum/panel.ts';
import { createElectrumReader } from '../../../../../src/chains/utxo/electrum/reader.ts';

const REFUSED: ElectrumAnswer = { error: { code: -32_602, message: '2 arguments, and 1 is known' } };

/** A reader over a server that answers by what it is asked, with what it was asked. */
function over(answer: (call: ElectrumCall) => ElectrumAnswer) {
  const asked: ElectrumCall[] = [];
  const batch = async (calls: readonly ElectrumCall[]) => {
    asked.push(...calls);
    return calls.map(answer);
  };
  const backend = { batch, onNews: () => ({ close() {} }) };
  return { reader: createElectrumReader({ backend, decimals: 8, medianBlocks: 11 }), asked };
}

const told = (question: FeeQuestion, answer: (call: ElectrumCall) => ElectrumAnswer) =>
  over(answer).reader.estimate(question);

it('asks for what the coin configures, and for two blocks if a server does not estimate for one', async () => {
  const { reader, asked } = over(() => ({ result: -1 }));
  expect(await reader.estimate({ blocks: 1, mode: null })).toBeNull();
  expect(await reader.estimate({ blocks: 6, mode: null })).toBeNull();
  expect(asked.map(([method, ...params]) => [method, params])).toEqual(
    [[1], [2], [6]].map((params) => ['blockchain.estimatefee', params]),
  );
  expect(await told({ blocks: 1, mode: null }, ([, blocks]) => ({ result: blocks === 2 ? 0.00012 : -1 }))).toBe(
    12_000n,
  );
});

it('gives the mode, and asks without it if a server does not support it', async () => {
  const conservative = { blocks: 4, mode: 'CONSERVATIVE' } as const;
  const knows = (call: ElectrumCall): ElectrumAnswer => ({ result: call.length === 3 ? 0.0002 : 0.0001 });
  expect(await told(conservative, knows)).toBe(20_000n);
  expect(await told(conservative, (call) => (call.length === 3 ? REFUSED : { result: 0.0001 }))).toBe(10_000n);
});

it('gives the relay fee of the node behind a server, if the server does', async () => {
  const relayed = (answer: ElectrumAnswer) => over(() => answer).reader.relayFee?.();
  expect(await relayed({ result: 0.00001 })).toBe(1000n);
  expect(await relayed(REFUSED)).toBeNull();
});

it.each([
  [[0.0001, 0.5, 0.0002], 20_000n],
  [[0.5, 0.0001], 10_000n],
  [[0.00000001, 0.0001, 0.0002], 10_000n],
  [[-1, 0.0003, -1], 30_000n],
  [[-1, -1], null],
])('takes the median of what servers say, and the lower of two: %j', async (rates, expected) => {
  const voices = rates.map((rate, place) => ({
    url: `${place}:1`,
    batch: async (calls: readonly ElectrumCall[]) => calls.map((): ElectrumAnswer => ({ result: rate })),
  }));
  const backend: ElectrumBackend = {
    batch: () => Promise.reject(new Error('one alone is not asked')),
    onNews: () => ({ close() {} }),
    panel: {
      quorum: 2,
      survey: (calls) => Promise.all(voices.map(async (voice) => ({ voice, answers: await voice.batch(calls) }))),
      distrust() {},
    },
  };
  const reader = createElectrumReader({ backend, decimals: 8, medianBlocks: 11 });
  expect(await reader.estimate({ blocks: 2, mode: null })).toBe(expected);
  expect(await reader.relayFee?.()).toBe(expected);
});
