import { expect, it } from 'vitest';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import { walletOfPassphrase } from '../../../../src/node/keys.ts';
import { createNode } from '../../../../src/node/node.ts';
import { createInProcessNetwork } from '../../../../src/peers/in-process/index.ts';
import type { EvmActivator } from '../../../../src/ports/evm-activator.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import { messageReader, type StreamMessage } from '../../../../src/rpc/framework/stream/message.ts';
import { asked, coins } from '../../../support/tasks/eth-tasks.ts';
import { ADDRESS, found } from '../../../support/tasks/evm-double.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const TOKENS = { erc20_tokens_requests: [{ ticker: 'TOK' }] };
const OTHERS = ['0x01', '0x02'];
const HD = { kind: 'hd', accounts: [] } as const;

it.each(['address', 'hd'] as const)(
  'J9: balances of what a task activated are reported, for a wallet of the kind %s',
  async (kind) => {
    const clock = virtualClock();
    const log = createMemoryLog();
    let spendable = '1';
    let elsewhere = ['0', '0.25'];
    const others = () =>
      elsewhere.map((amount, place) => ({
        address: OTHERS[place] ?? '',
        balances: { spendable: amount as DecimalText, unspendable: '0' as DecimalText },
      }));
    const told = new Set<() => void>();
    const evm: EvmActivator = {
      async activate(order) {
        const made = found(order, () => {});
        const heard = made.coins.map((coin) => ({
          ...coin,
          balances: async () =>
            ({ ok: true, value: { spendable: spendable as DecimalText, unspendable: '0' as DecimalText } }) as const,
          ...(kind === 'hd' && coin.ticker === 'ETH'
            ? { others: async () => ({ ok: true, value: others() }) as const }
            : {}),
          chain: {
            ...coin.chain,
            subscribe(onChange: () => void) {
              told.add(onChange);
              return { close: () => void told.delete(onChange) };
            },
          },
        }));
        return { ok: true, value: { ...made, coins: heard, wallet: kind === 'hd' ? HD : made.wallet } };
      },
    };
    const node = createNode({
      ...{ coins, signer: walletOfPassphrase(new Secret('a passphrase of the suite')), clock, evm, log },
      peers: createInProcessNetwork().peer('a1'.repeat(32)),
    });
    const messages: StreamMessage[] = [];
    const read = messageReader({ log, compatibility: 'specification' });
    log.subscribe({ after: 0 }, async (entry) => {
      const message = await read(entry);
      if (message?._type.startsWith('BALANCE') === true) messages.push(message);
    });
    const news = async () => {
      for (const tell of told) tell();
      await clock.advance(0);
      return messages.splice(0).map(({ _type, message }) => [_type, message]);
    };
    const of = (ticker: string, amount: string, address = ADDRESS) => [
      `BALANCE:${ticker}`,
      [{ ticker, address, balance: { spendable: amount, unspendable: '0' } }],
    ];
    /** What the other addresses are told to hold; of a wallet of one there are none. */
    const more = (...all: readonly [place: number, amount: string][]) =>
      kind === 'hd' ? all.map(([place, amount]) => of('ETH', amount, OTHERS[place])) : [];
    const byTicker = (told: readonly unknown[]) =>
      [...told].sort((left, right) => (String(left) < String(right) ? -1 : 1));
    await node.start();
    await node.ethTasks.init(asked(TOKENS));
    await clock.advance(0);
    // An address that has never held anything is not told of.
    expect(byTicker(await news())).toEqual(byTicker([of('ETH', '1'), of('TOK', '1'), ...more([1, '0.25'])]));
    expect(await news()).toEqual([]);
    spendable = '2.5';
    elsewhere = ['7', '0.25'];
    expect(byTicker(await news())).toEqual(byTicker([of('ETH', '2.5'), of('TOK', '2.5'), ...more([0, '7'])]));
    await node.disable('TOK');
    spendable = '3';
    elsewhere = ['7', '0'];
    expect(await news()).toEqual([of('ETH', '3'), ...more([1, '0'])]);
    await node.disable('ETH');
    // What is active again is told anew.
    await node.ethTasks.init(asked());
    await clock.advance(0);
    expect(await news()).toEqual([of('ETH', '3'), ...more([0, '7'])]);
    expect(node.activeBefore()).toEqual([]);
    await node.close();
  },
);
