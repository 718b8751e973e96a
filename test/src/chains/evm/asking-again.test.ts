import { describe, expect, it } from 'vitest';
import { NodeRefusal } from '../../../../src/chains/accounts/node.ts';
import { askingAgain } from '../../../../src/chains/evm/asking-again.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';

const PINNED = { blockHash: `0x${'ab'.repeat(32)}`, requireCanonical: true };
const unknown = () => new NodeRefusal(-32_000, 'header not found');

/** A node that answers in turn what it is given, an error by throwing it; the last one again and again. */
function nodeOf(...answers: readonly unknown[]) {
  let asked = 0;
  const node = {
    name: 'a node',
    async request() {
      const answer = answers[Math.min(asked, answers.length - 1)];
      asked += 1;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  return { node: askingAgain(node), asked: () => asked };
}

describe('a question about a block', () => {
  it('is asked again of a node that does not know the block, by its hash or its number', async () => {
    for (const params of [
      [{ to: '0x00' }, PINNED],
      ['0xaa', '0x12'],
    ]) {
      const { node, asked } = nodeOf(unknown(), new NodeRefusal(-32_001, 'gone'), '0x1');
      expect(await node.request('eth_call', params)).toBe('0x1');
      expect(asked()).toBe(3);
    }
    const { node, asked } = nodeOf(null, { number: '0x12' });
    expect(await node.request('eth_getBlockByNumber', ['0x12', false])).toEqual({ number: '0x12' });
    expect(asked()).toBe(2);
  });

  it('fails in the end, with the node’s last answer', async () => {
    const { node, asked } = nodeOf(unknown());
    await expect(node.request('eth_call', [{}, PINNED])).rejects.toThrow('header not found');
    expect(asked()).toBe(12);
    const none = nodeOf(null);
    expect(await none.node.request('eth_getBlockByNumber', ['0x12', false])).toBeNull();
    expect(none.asked()).toBe(12);
  });
});

describe('a question that is asked once', () => {
  it.each([
    ['another refusal', 'eth_call', [{}, PINNED], new NodeRefusal(3, 'execution reverted')],
    [
      'a hash that is not of the chain any more',
      'eth_call',
      [{}, PINNED],
      new NodeRefusal(-32_000, 'hash is not currently canonical'),
    ],
    ['silence', 'eth_call', [{}, PINNED], new BackendSilent('gone')],
    ['a question about no block', 'eth_getTransactionReceipt', [`0x${'ab'.repeat(32)}`], unknown()],
    ['the last block', 'eth_getBlockByNumber', ['latest', false], unknown()],
    ['what is sent', 'eth_sendRawTransaction', [`0x${'ab'.repeat(60)}`], unknown()],
  ] as const)('%s', async (_, method, params, error) => {
    const { node, asked } = nodeOf(error);
    await expect(node.request(method, params)).rejects.toBe(error);
    expect(asked()).toBe(1);
  });

  it('a missing receipt', async () => {
    const { node, asked } = nodeOf(null);
    expect(await node.request('eth_getTransactionReceipt', [`0x${'ab'.repeat(32)}`])).toBeNull();
    expect(asked()).toBe(1);
  });
});
