import { describe, expect, it } from 'vitest';
import { createInProcessNetwork } from '../../../../src/peers/in-process/index.ts';
import type { SwapMessage } from '../../../../src/ports/peers.ts';
import { peersContract } from '../../../../src/testing/contracts/peers-contract.ts';

const KEYS = ['a1', 'b2', 'c3'].map((byte) => byte.repeat(32));
const HELLO: SwapMessage = { kind: 'negotiated', accepted: true };

describe('the contract of the port', () => {
  for (const { title, run } of peersContract(async () => {
    const network = createInProcessNetwork();
    const [first = '', second = '', third = ''] = KEYS;
    return {
      peers: [network.peer(first), network.peer(second), network.peer(third)],
      settle: () => new Promise((resolve) => setImmediate(resolve)),
    };
  })) {
    it(title, run);
  }
});

describe('the contract notices', () => {
  it('a network that delivers nothing', async () => {
    const silent = createInProcessNetwork({ policy: () => {} });
    const [first = '', second = '', third = ''] = KEYS;
    const cases = peersContract(async () => ({
      peers: [silent.peer(first), silent.peer(second), silent.peer(third)],
      settle: async () => {},
    }));
    const results = await Promise.allSettled(cases.map(({ run }) => run()));
    expect(results.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(4);
  });

  it('a network that says that another sent it', async () => {
    const network = createInProcessNetwork();
    const [first = '', second = '', third = ''] = KEYS;
    const forged = { ...network.peer(first), self: 'd4'.repeat(32) };
    const cases = peersContract(async () => ({
      peers: [forged, network.peer(second), network.peer(third)],
      settle: async () => {},
    }));
    const [, everyKind] = cases;
    await expect(everyKind?.run()).rejects.toThrow('contract of Peers');
  });
});

describe('the delivery policy', () => {
  it('decides when, whether and how often each copy arrives', () => {
    const held: (() => void)[] = [];
    const network = createInProcessNetwork({ policy: ({ deliver }) => void held.push(deliver) });
    const [alice, bob] = KEYS.map((key) => network.peer(key));
    const heard: unknown[] = [];
    bob?.subscribe('t', ({ message }) => void heard.push(message));
    alice?.send('t', HELLO);
    expect(heard).toEqual([]);
    held[0]?.();
    held[0]?.();
    expect(heard).toEqual([HELLO, HELLO]);
  });

  it('cannot deliver to a subscription that was closed in the meantime', () => {
    const held: (() => void)[] = [];
    const network = createInProcessNetwork({ policy: ({ deliver }) => void held.push(deliver) });
    const [alice, bob] = KEYS.map((key) => network.peer(key));
    const heard: unknown[] = [];
    const subscription = bob?.subscribe('t', ({ message }) => void heard.push(message));
    alice?.send('t', HELLO);
    subscription?.close();
    held[0]?.();
    expect(heard).toEqual([]);
  });
});

it('accepts no invalid key', () => {
  for (const key of ['', 'a1', 'A1'.repeat(32), `02${'a1'.repeat(32)}`]) {
    expect(() => createInProcessNetwork().peer(key)).toThrow(RangeError);
  }
});
