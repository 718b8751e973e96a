import { describe, expect, it } from 'vitest';
import { NodeRefusal } from '../../../../src/chains/accounts/node.ts';
import { heldToEvmChain } from '../../../../src/chains/evm/held-node.ts';
import type { EvmNode } from '../../../../src/chains/evm/node.ts';
import { createEvmNodeReader } from '../../../../src/chains/evm/node-reader.ts';
import type { NodeAnswer } from '../../../../src/chains/evm/together.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import { unixSecondsOf } from '../../../../src/primitives/time.ts';

/** A node of a chain, which says what it is asked; `is` changes what it is. */
function nodeOf(chainId: string) {
  const is = { chainId, over: 'one connection', silent: false, refuses: false };
  const asked: string[] = [];
  const node: EvmNode = {
    name: 'a node',
    connection: async () => is.over,
    async request(method) {
      asked.push(method);
      if (is.silent) throw new BackendSilent('a node does not answer');
      if (is.refuses) throw new NodeRefusal(-32_000, 'not now');
      return method === 'eth_chainId' ? is.chainId : '0x1';
    },
  };
  return { node, is, asked, held: heldToEvmChain(node, 137) };
}

describe('a node that must prove its chain', () => {
  it('names its chain before anything else, once for all questions', async () => {
    const { held, asked } = nodeOf('0x89');
    expect(await Promise.all([held.request('eth_gasPrice', []), held.request('eth_gasPrice', [])])).toEqual([
      '0x1',
      '0x1',
    ]);
    await held.request('eth_gasPrice', []);
    expect(asked).toEqual(['eth_chainId', 'eth_gasPrice', 'eth_gasPrice', 'eth_gasPrice']);
  });

  it.each(['0x1', '0x', 'nonsense', '0x8900000000000000'])('answers nothing if it says %s', async (chainId) => {
    const { held, asked } = nodeOf(chainId);
    await expect(held.request('eth_sendRawTransaction', ['0x'])).rejects.toThrow(BackendSilent);
    expect(asked).toEqual(['eth_chainId']);
  });

  it('answers nothing while it does not say so, and all once it does', async () => {
    const { held, is } = nodeOf('0x1');
    await expect(held.request('eth_gasPrice', [])).rejects.toThrow('a node is on the chain with id 1, not 137');
    Object.assign(is, { refuses: true });
    await expect(held.request('eth_gasPrice', [])).rejects.toThrow(BackendSilent);
    Object.assign(is, { refuses: false, chainId: '0x89' });
    expect(await held.request('eth_gasPrice', [])).toBe('0x1');
  });

  it('proves it again after a silence: another node may have come back behind its address', async () => {
    const { held, is } = nodeOf('0x89');
    await held.request('eth_gasPrice', []);
    Object.assign(is, { silent: true });
    await expect(held.request('eth_gasPrice', [])).rejects.toThrow(BackendSilent);
    Object.assign(is, { silent: false, chainId: '0x1' });
    await expect(held.request('eth_gasPrice', [])).rejects.toThrow('with id 1, not 137');
    Object.assign(is, { chainId: '0x89' });
    expect(await held.request('eth_gasPrice', [])).toBe('0x1');
  });

  it('says it again over each connection, even after an unnoticed break', async () => {
    const { held, is, asked } = nodeOf('0x89');
    await held.request('eth_gasPrice', []);
    Object.assign(is, { over: 'another connection', chainId: '0x1' });
    await expect(held.request('eth_gasPrice', [])).rejects.toThrow('with id 1, not 137');
    expect(asked.filter((method) => method === 'eth_chainId')).toHaveLength(2);
  });

  it('does not count if it refuses before it has named its chain', async () => {
    const { node } = nodeOf('0x1');
    const request: EvmNode['request'] = async (method, params) => {
      if (method === 'eth_call') throw new NodeRefusal(3, 'execution reverted');
      await new Promise((resolve) => setImmediate(resolve));
      return node.request(method, params);
    };
    await expect(heldToEvmChain({ ...node, request }, 137).request('eth_call', [])).rejects.toThrow('id 1, not 137');
  });

  it('has not answered if it was reconnected meanwhile', async () => {
    const { node, is } = nodeOf('0x89');
    const moving: EvmNode = {
      ...node,
      async request(method, params) {
        if (method === 'eth_gasPrice') is.over = 'another connection';
        return node.request(method, params);
      },
    };
    await expect(heldToEvmChain(moving, 137).request('eth_gasPrice', [])).rejects.toThrow('was replaced meanwhile');
  });

  it('proves it again with each last block that it reports, and whenever it is asked for one', async () => {
    const { held, is, asked } = nodeOf('0x89');
    const head = () => held.request('eth_getBlockByNumber', ['latest', false]);
    expect(await Promise.all([head(), held.request('eth_gasPrice', [])])).toEqual(['0x1', '0x1']);
    expect(asked.sort()).toEqual(['eth_chainId', 'eth_gasPrice', 'eth_getBlockByNumber']);
    Object.assign(is, { chainId: '0x1' });
    // By what it said last.
    expect(await held.request('eth_getBlockByNumber', ['0x7', false])).toBe('0x1');
    await expect(head()).rejects.toThrow('a node is on the chain with id 1, not 137');
    await expect(held.request('eth_gasPrice', [])).rejects.toThrow('id 1, not 137');
    Object.assign(is, { chainId: '0x89' });
    expect(await head()).toBe('0x1');
  });

  it('is trusted by a single request, if it accepts such, whichever node answers another', async () => {
    const { node, is } = nodeOf('0x89');
    const said = { id: { result: '0x89' } as NodeAnswer, block: { result: 'of one request' } as NodeAnswer };
    const held = heldToEvmChain({ ...node, together: async () => [said.id, said.block] }, 137);
    const head = () => held.request('eth_getBlockByNumber', ['latest', false]);
    Object.assign(is, { chainId: '0x1' });
    expect(await head()).toBe('of one request');
    said.block = { refusal: new NodeRefusal(-32_000, 'not now') };
    await expect(head()).rejects.toThrow(NodeRefusal);
    said.id = { result: '0x1' };
    await expect(head()).rejects.toThrow('id 1, not 137');
    said.id = { refusal: new NodeRefusal(-32_000, 'not now') };
    await expect(head()).rejects.toThrow(BackendSilent);
    const none = heldToEvmChain({ ...node, together: async () => null }, 137);
    await expect(none.request('eth_getBlockByNumber', ['latest', false])).rejects.toThrow('id 1, not 137');
  });

  it('refuses as it does, and is not asked for its chain again for that', async () => {
    const { held, is, asked } = nodeOf('0x89');
    await held.request('eth_gasPrice', []);
    Object.assign(is, { refuses: true });
    await expect(held.request('eth_gasPrice', [])).rejects.toThrow(NodeRefusal);
    await expect(held.request('eth_gasPrice', [])).rejects.toThrow(NodeRefusal);
    expect(asked.filter((method) => method === 'eth_chainId')).toHaveLength(1);
  });

  it('proves it once, also for a reader over it, whose looks are covered too', async () => {
    const { node, held, is, asked } = nodeOf('0x89');
    expect(heldToEvmChain(held, 137)).toBe(held);
    const head = { number: 1, hash: '11'.repeat(32), time: unixSecondsOf(1), baseFee: null };
    const look = createEvmNodeReader(held, 137).lookAt(head);
    expect(await look.balance('22'.repeat(20))).toBe(1n);
    Object.assign(is, { over: 'another connection', chainId: '0x1' });
    await expect(look.balance('22'.repeat(20))).rejects.toThrow('with id 1, not 137');
    expect(asked.filter((method) => method === 'eth_chainId')).toHaveLength(2);
    await expect(createEvmNodeReader(node, 137).lookAt(head).balance('22'.repeat(20))).rejects.toThrow('id 1, not 137');
  });
});
