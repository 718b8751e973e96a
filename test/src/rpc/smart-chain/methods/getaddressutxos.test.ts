import { expect, it } from 'vitest';
import { ask, call, openNode } from '../method-context.ts';

it.each(['getaddressutxos', 'getaddressbalance'])(
  '%s counts an address once, however often it is named',
  async (method) => {
    const node = await openNode({ seed: 'asked often' });
    await call(node, 'generate', 3);
    const address = node.wallet.ownKey()?.address ?? '';
    const once = await ask(node, method, { addresses: [address] });
    expect(await ask(node, method, { addresses: Array.from({ length: 100_000 }, () => address) })).toEqual(once);
    expect(await ask(node, method, { addresses: [` ${address}`, `${address} `] })).toEqual(once);
  },
);
