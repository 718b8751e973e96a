import { MESSAGE_LIMITS } from '../../src/peers/message-bounds.ts';
import { readMessage, takeMessage } from '../../src/peers/read-message.ts';
import { sample } from '../machines/watcher/support.ts';
import { assertSame, measure, type Row, type SuiteOptions } from './measure.ts';

const TURNS = 2000;
const MEGABYTES = 10;

/** What is timed, with the count of messages of one round, and whether it is a message at all. */
type Case = { readonly name: string; readonly message: object; readonly turns: number; readonly ok: boolean };

function cases(): readonly Case[] {
  const tx_hash = 'cd'.repeat(32);
  const long = 'ab'.repeat(MEGABYTES * 500_000);
  const members = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, index]));
  const fee = { kind: 'takerFee', tx: { tx_hex: 'ab'.repeat(250), tx_hash } };
  const largest = { kind: 'takerFee', tx: { tx_hex: 'ab'.repeat(MESSAGE_LIMITS.transactionBytes), tx_hash } };
  const payment = { kind: 'makerPayment', tx: fee.tx, instructions: members };
  const watch = { kind: 'watcher', watch: sample.watch };
  const asNumbers = { ...sample.watch, secret_hash: new Array(MEGABYTES * 1_000_000).fill(7) };
  return [
    { name: 'a fee', message: fee, turns: TURNS, ok: true },
    { name: 'a request to watchers', message: watch, turns: TURNS, ok: true },
    { name: 'the largest transaction', message: largest, turns: 20, ok: true },
    {
      name: `a transaction of ${MEGABYTES} MB`,
      message: { kind: 'takerFee', tx: { tx_hex: long, tx_hash } },
      turns: TURNS,
      ok: false,
    },
    { name: '200,000 members in the instructions', message: payment, turns: TURNS, ok: false },
    {
      name: `${MEGABYTES} MB in numbers to watchers`,
      message: { kind: 'watcher', watch: asNumbers },
      turns: TURNS,
      ok: false,
    },
  ];
}

/**
 * Messages of other nodes: what reading one costs beside the look at its size alone. What is too large costs that look and no more, so
 * that its ratio is 1.
 */
export async function* peersSuite({ rounds }: SuiteOptions): AsyncGenerator<Row> {
  for (const { name, message, turns, ok } of cases()) {
    assertSame(readMessage(message).ok, ok, name);
    const { ours, reference } = await measure(
      {
        ours: () => {
          for (let turn = 0; turn < turns; turn++) readMessage(message);
          return turns;
        },
        reference: () => {
          for (let turn = 0; turn < turns; turn++) takeMessage(message);
          return turns;
        },
      },
      { rounds },
    );
    yield { name: `peers: ${name}`, unit: 'ns/message', ours, reference, ratio: ours / reference };
  }
}
