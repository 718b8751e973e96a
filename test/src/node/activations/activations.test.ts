import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../../src/log/memory/memory-log.ts';
import { Activations } from '../../../../src/node/activations/activations.ts';
import { foldActivation } from '../../../../src/node/activations/events.ts';
import type { ActiveCoin } from '../../../../src/node/active-coin.ts';
import type { Envelope } from '../../../../src/primitives/envelope.ts';
import { isJsonObject } from '../../../../src/primitives/json.ts';
import { messageReader, type StreamMessage } from '../../../../src/rpc/framework/stream/message.ts';
import { type TradingPair, tradingPair } from '../../../support/trading-pair.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

let pair: TradingPair;

beforeAll(async () => {
  pair = await tradingPair({ hide: ['a password of the RPC'] });
});
afterAll(() => pair.close());

/** The streams of activations, each with its records, in the order in which they began. */
async function streams(): Promise<readonly (readonly Envelope[])[]> {
  const { log } = pair.parties.maker.node();
  const found = await log.find({ machine: 'activation' });
  return Promise.all(found.map(({ stream }) => log.read(stream)));
}

const types = (records: readonly Envelope[] = []) => records.map(({ type }) => type);

describe('J8: an activation in the log', () => {
  it('begins with the request, and has its outcome before the coin counts as active', async () => {
    const { maker } = pair.parties;
    const seen: unknown[] = [];
    const subscription = maker.node().log.subscribe({ after: 0 }, ({ envelope: { stream, type } }) => {
      if (stream.startsWith('activation/')) seen.push([type, maker.node().coins.get('MAK') !== undefined]);
    });
    const answer = await maker.call({ method: 'enable', coin: 'MAK', required_confirmations: 5, mm2: 1 });
    expect(answer['result']).toBe('success');
    await pair.clock.advance(0);
    subscription.close();
    expect(seen.slice(0, 2)).toEqual([
      ['ActivationRequested', false],
      ['ActivationCompleted', false],
    ]);
    const [records = []] = await streams();
    expect(records[0]?.data).toEqual({
      coin: 'MAK',
      method: 'enable',
      request: { mm2: 1, required_confirmations: 5 },
    });
    expect(records[1]?.data).toEqual({
      coin: 'MAK',
      address: answer['address'],
      required_confirmations: 5,
      requires_notarization: false,
      mature_confirmations: 1,
    });
  });

  it('says why it failed, and ends', async () => {
    const { maker } = pair.parties;
    const servers = [{ url: '127.0.0.1:1' }];
    const answer = await maker.call({ method: 'electrum', coin: 'TAK', servers });
    expect(answer.http).toBe(500);
    const [records = []] = (await streams()).slice(-1);
    expect(types(records)).toEqual(['ActivationRequested', 'ActivationFailed']);
    expect(records[0]?.data).toMatchObject({ method: 'electrum', request: { servers } });
    expect(records[1]?.data).toMatchObject({ coin: 'TAK', kind: 'serversUnreachable' });
    expect(await maker.node().log.find({ machine: 'activation', finished: false })).toHaveLength(1);
  });

  it('is one of several simultaneous requests, and none of those that are refused first', async () => {
    const { maker } = pair.parties;
    const before = (await streams()).length;
    const asked = [1, 2, 3].map(() => maker.call({ method: 'enable', coin: 'TAK' }));
    const answers = await Promise.all(asked);
    expect(answers.filter(({ result }) => result === 'success')).toHaveLength(1);
    await maker.call({ method: 'enable', coin: 'NONE', mm2: 1 });
    expect(await streams()).toHaveLength(before + 1);
  });

  it('ends when the coin is removed', async () => {
    const { maker } = pair.parties;
    expect((await maker.call({ method: 'disable_coin', coin: 'TAK' })).http).toBe(200);
    const [records = []] = (await streams()).slice(-1);
    expect(records.at(-1)).toMatchObject({ type: 'ActivationEnded', data: { coin: 'TAK', reason: 'disabled' } });
    const node = maker.node();
    await node.close();
    await maker.reopen();
    expect(
      maker
        .node()
        .activeBefore()
        .map(({ coin }) => coin),
    ).toEqual(['MAK']);
  });
});

describe('J10: after a restart', () => {
  it('a node knows what was active, until that is activated again', async () => {
    const { maker } = pair.parties;
    expect(maker.node().coins.active()).toEqual([]);
    expect(maker.node().activeBefore()).toMatchObject([{ coin: 'MAK', method: 'enable', state: 'active' }]);
    await maker.activate('MAK');
    expect(maker.node().activeBefore()).toEqual([]);
    const [old = []] = await streams();
    expect(old.at(-1)?.data).toEqual({ coin: 'MAK', reason: 'activatedAnew' });
    expect(await maker.node().log.find({ machine: 'activation', finished: false })).toHaveLength(1);
  });

  it('no password is in its log or in the answers, wherever a caller puts it', async () => {
    const { maker } = pair.parties;
    const secret = 'a password of the RPC';
    await maker.call({ method: 'electrum', coin: 'TAK', servers: [{ url: `${secret}@127.0.0.1:1`, protocol: 'TCP' }] });
    await maker.call({ method: 'enable', coin: 'TAK', passphrase: secret, mm2: secret });
    const written = JSON.stringify(await streams());
    expect(written).toContain('TAK');
    expect(written).not.toContain(secret);
    expect(maker.lines.join('\n')).not.toContain(secret);
  });
});

describe('J9: balances', () => {
  it('are reported once durable, once for each change', async () => {
    const { maker } = pair.parties;
    const told = async (): Promise<readonly unknown[]> => {
      const found: StreamMessage[] = [];
      const read = messageReader({ log: maker.node().log, compatibility: 'specification' });
      const ofCoin = (await streams()).filter(([first]) => isJsonObject(first?.data) && first.data['coin'] === 'MAK');
      for (const envelope of ofCoin.at(-1) ?? []) {
        const message = await read({ position: envelope.seq + 1, envelope });
        if (message?._type === 'BALANCE:MAK') found.push(message);
      }
      return found.map(({ message }) => (message as { readonly balance: unknown }[])[0]?.balance);
    };
    await pair.clock.advance(30_000);
    expect(await told()).toEqual([{ spendable: '29.62962963', unspendable: '0' }]);
    // A block changes the chain and not the balance.
    await pair.chains.MAK.mine(1);
    await pair.clock.advance(90_000);
    await pair.chains.MAK.fund(maker.key, { count: 1, value: 37_037n });
    await pair.clock.advance(90_000);
    await pair.clock.advance(90_000);
    expect(await told()).toEqual([
      { spendable: '29.62962963', unspendable: '0' },
      { spendable: '29.63', unspendable: '0' },
    ]);
  });
});

describe('the records of an activation', () => {
  const options = {
    clock: virtualClock(),
    random: { bytes: (count: number) => new Uint8Array(count).fill(7) },
    hide: [],
  };
  const warnings: string[] = [];
  const logger = { info() {}, warn: (text: string) => void warnings.push(text), error() {} };
  const coin = { ticker: 'DOC', address: 'R1', requiredConfirmations: 2, close() {} } as unknown as ActiveCoin;
  const asked = { coin: 'DOC', method: 'enable', request: {} } as const;

  it('are requested again if the log does not take the request: nothing is connected', async () => {
    const log = createMemoryLog();
    const broken = { ...log, append: () => Promise.reject(new Error('no space')) };
    let connected = 0;
    const create = async () => {
      connected += 1;
      return coin;
    };
    await expect(new Activations({ ...options, logger, log: broken }).run(asked, create)).rejects.toThrow('no space');
    expect(connected).toBe(0);
  });

  it('lead to no active coin if the log does not take the outcome, and connections are closed', async () => {
    const log = createMemoryLog();
    let left = 1;
    const failing: typeof log.append = (batch) => {
      if (left-- > 0) return log.append(batch);
      throw new Error('no space');
    };
    let closed = 0;
    const closing = { ...coin, close: () => void closed++ };
    const activations = new Activations({ ...options, logger, log: { ...log, append: failing } });
    await expect(activations.run(asked, async () => closing)).rejects.toThrow('no space');
    expect([closed, warnings.at(-1)]).toEqual([1, 'a failed activation could not be written']);
    const later = new Activations({ ...options, logger, log });
    await later.open();
    expect(later.before()).toEqual([]);
  });

  it('are refused in an order that no release wrote', () => {
    const at = options.clock.now();
    const record = (type: string, data: unknown) => ({ at, type, data });
    const begun = record('ActivationRequested', asked);
    expect(() => foldActivation('u', [record('ActivationCompleted', {})])).toThrow('starts with its request');
    expect(() => foldActivation('u', [begun, record('BalanceChanged', {})])).toThrow('the activation is asked');
    expect(foldActivation('u', [begun]).state).toBe('asked');
  });

  it('that cannot be read keep no node from starting', async () => {
    const log = createMemoryLog();
    log.append({
      stream: 'activation/5b1ee4a6-9d6c-4c6e-8a52-1f0e5d3c7a91',
      expected: 0,
      records: [{ at: options.clock.now(), type: 'Nonsense', version: 1, data: {} }],
    });
    const activations = new Activations({ ...options, logger, log });
    await activations.open();
    expect([activations.before(), warnings.at(-1)]).toEqual([[], 'an activation in the log cannot be read']);
  });
});
