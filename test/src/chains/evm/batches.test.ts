import { describe, expect, it } from 'vitest';
import { NodeRefusal } from '../../../../src/chains/accounts/node.ts';
import { mergedNode } from '../../../../src/chains/evm/batches.ts';
import type { EvmNode } from '../../../../src/chains/evm/node.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';

type Said = (method: string) => Promise<unknown>;

/** A node that counts what it is asked, and how much of it at the same time. */
function told(name: string, say: Said) {
  const asked: string[] = [];
  const counts = { now: 0, most: 0 };
  const node: EvmNode = {
    name,
    async request(method) {
      asked.push(method);
      counts.now += 1;
      counts.most = Math.max(counts.most, counts.now);
      try {
        await new Promise((resolve) => setImmediate(resolve));
        return await say(method);
      } finally {
        counts.now -= 1;
      }
    },
  };
  return { node, asked, counts };
}

const answer: Said = async (method) => `of ${method}`;
const silence: Said = async () => {
  throw new BackendSilent('no batch is taken');
};

describe('a node whose questions are merged', () => {
  it('is asked only in batches if it accepts them, and a refusal there is final', async () => {
    const refusing: Said = async (method) => {
      if (method === 'eth_call') throw new NodeRefusal(3, 'execution reverted');
      return answer(method);
    };
    const [batched, single] = [told('batched', refusing), told('single', answer)];
    const node = mergedNode({ batched: batched.node, single: single.node });
    expect(node.name).toBe('single');
    expect(await node.request('eth_getBalance', [])).toBe('of eth_getBalance');
    await expect(node.request('eth_call', [])).rejects.toThrow(NodeRefusal);
    expect([batched.asked, single.asked]).toEqual([['eth_getBalance', 'eth_call'], []]);
  });

  it('is asked alone what a batch is refused for, which may be the batch itself', async () => {
    const whole: Said = async () => {
      throw new NodeRefusal(-32_600, 'batch too large');
    };
    const [batched, single] = [told('batched', whole), told('single', answer)];
    const node = mergedNode({ batched: batched.node, single: single.node });
    expect(await node.request('eth_call', [])).toBe('of eth_call');
    const refused = mergedNode({ batched: batched.node, single: told('single', whole).node });
    await expect(refused.request('eth_call', [])).rejects.toThrow(NodeRefusal);
  });

  it('is asked one by one if it accepts none, 16 at a time, and each is answered', async () => {
    const [batched, single] = [told('batched', silence), told('single', answer)];
    const node = mergedNode({ batched: batched.node, single: single.node });
    const methods = Array.from({ length: 100 }, (_, place) => `question ${place}`);
    const answers = await Promise.all(methods.map((method) => node.request(method, [])));
    expect(answers).toEqual(methods.map((method) => `of ${method}`));
    expect(single.asked).toEqual(methods);
    expect(single.counts.most).toBe(16);
  });

  it('continues after unanswered questions', async () => {
    const [batched, single] = [told('batched', silence), told('single', silence)];
    const node = mergedNode({ batched: batched.node, single: single.node });
    const asked = Array.from({ length: 40 }, () => node.request('eth_call', []).catch((error: unknown) => error));
    for (const said of await Promise.all(asked)) expect(said).toBeInstanceOf(BackendSilent);
    expect([single.asked.length, single.counts.now]).toEqual([40, 0]);
  });

  it('is sent to once, and never by a batch', async () => {
    const [batched, single] = [told('batched', silence), told('single', silence)];
    const node = mergedNode({ batched: batched.node, single: single.node });
    await expect(node.request('eth_sendRawTransaction', ['0x'])).rejects.toThrow(BackendSilent);
    expect([batched.asked, single.asked]).toEqual([[], ['eth_sendRawTransaction']]);
  });
});
