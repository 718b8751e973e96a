import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { coinsOf } from '../../../../src/node/coins-file.ts';
import { walletOfPassphrase } from '../../../../src/node/keys.ts';
import { TaskFailure } from '../../../../src/node/tasks/task-failure.ts';
import type { EventLog } from '../../../../src/ports/event-log.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import {
  ENTRIES,
  OWNER,
  OWNER_KEY,
  TendermintProcesses,
  withAssets,
} from '../../../support/tendermint/node-processes.ts';

type Process = Awaited<ReturnType<TendermintProcesses['node']>>;

async function processes(): Promise<TendermintProcesses> {
  const made = await TendermintProcesses.start();
  onTestFinished(() => made.listening.close());
  return made;
}

const until = (process: Process, ...tickers: readonly string[]) =>
  expect.poll(process.active, { timeout: 10_000 }).toEqual(tickers);

const failureOf = async (asked: Promise<unknown>) => {
  const error: unknown = await asked.catch((thrown: unknown) => thrown);
  return error instanceof TaskFailure ? error.task : error;
};

/** Takes calls and answers none. */
async function silentNode() {
  let calls = 0;
  const server = createServer(() => {
    calls += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard: () => calls };
}

describe('coins of a Tendermint chain that were in use', () => {
  it('are in the log from the call on, and come back automatically in every later process', async () => {
    const bench = await processes();
    const first = await bench.node();
    expect(await first.enable(withAssets('ATOM-IBC'))).toMatchObject({ ticker: 'NYAN', address: OWNER });
    expect(await bench.types(0)).toEqual([
      'TaskStarted',
      'RequestingWalletBalance',
      'Finishing',
      'Completed',
      'ResultForgotten',
    ]);
    await first.node.close();
    for (const process of [2, 3]) {
      const next = await bench.node();
      await until(next, 'ATOM-IBC', 'NYAN');
      expect([next.node.coins.get('ATOM-IBC')?.address, process]).toEqual([OWNER, process]);
      expect(await failureOf(next.enable())).toMatchObject({ error_type: 'PlatformIsAlreadyActivated' });
      await next.node.close();
    }
  });

  it('are waited for while their nodes are away', async () => {
    const bench = await processes();
    const first = await bench.node();
    await first.enable(withAssets('ATOM-IBC'));
    await first.node.close();
    await bench.away();
    const second = await bench.node();
    await expect.poll(() => bench.lines.join('\n')).toContain('a coin that was in use is not yet active again');
    expect([second.active(), second.node.tendermintTasks.comingBack('NYAN')]).toEqual([[], ['NYAN', 'ATOM-IBC']]);
    await bench.back();
    await bench.clock.advance(120_000);
    await until(second, 'ATOM-IBC', 'NYAN');
    await second.node.close();
  });

  it('do not come back once they were removed, even while they were coming back', async () => {
    const bench = await processes();
    const first = await bench.node();
    await first.enable(withAssets('ATOM-IBC', 'OSMO-IBC'));
    expect(await first.node.disable('OSMO-IBC')).toMatchObject({ passivized: false });
    await first.node.close();
    const second = await bench.node();
    await until(second, 'ATOM-IBC', 'NYAN');
    expect(await second.node.disable('NYAN', { force: true })).toMatchObject({ passivized: false });
    expect((await bench.types(0)).at(-1)).toBe('CoinReleased');
    await second.node.close();
    const third = await bench.node();
    expect([third.active(), third.node.tendermintTasks.comingBack('NYAN')]).toEqual([[], []]);
    await third.enable();
    await third.node.close();
    await bench.away();
    const fourth = await bench.node();
    expect(await fourth.node.disable('NYAN')).toMatchObject({ passivized: false });
    await bench.back();
    await bench.clock.advance(120_000);
    await fourth.node.close();
    const fifth = await bench.node();
    expect([fifth.active(), fifth.node.tendermintTasks.comingBack('NYAN')]).toEqual([[], []]);
    await fifth.node.close();
  });

  it('J34: stay as assets without their coin, and share its account and sequences once that is active again', async () => {
    const bench = await processes();
    const first = await bench.node();
    await first.enable(withAssets('ATOM-IBC', 'OSMO-IBC'));
    expect(await first.node.disable('NYAN')).toMatchObject({ passivized: true });
    expect([first.active(), first.node.coins.isPassive('NYAN')]).toEqual([['ATOM-IBC', 'OSMO-IBC'], true]);
    await first.node.close();
    const second = await bench.node();
    await until(second, 'ATOM-IBC', 'OSMO-IBC');
    expect(second.node.coins.isPassive('NYAN')).toBe(true);
    const kept = second.node.coins.get('ATOM-IBC');
    // With one of its assets, which stays as it is.
    const told = await second.enable(withAssets('ATOM-IBC'));
    expect(told).toMatchObject({
      balance: { spendable: '7.62' },
      tokens_balances: { 'ATOM-IBC': { spendable: '0.0005' } },
    });
    expect([second.active(), second.node.coins.get('ATOM-IBC') === kept]).toEqual([
      ['ATOM-IBC', 'NYAN', 'OSMO-IBC'],
      true,
    ]);
    // What both coins sign has sequences of one row.
    const amount = '0.0001' as DecimalText;
    const [own, of] = [second.node.coins.get('NYAN'), second.node.coins.get('ATOM-IBC')];
    const sent: string[] = [];
    for (const coin of [of, own, of]) {
      const made = await coin?.wallet.withdraw({ to: OWNER, amount, fee: null });
      if (made?.ok !== true) throw new Error(JSON.stringify(made));
      const answer = await coin?.wallet.send(made.value.tx_hex);
      sent.push(answer?.ok === true ? answer.value : JSON.stringify(answer));
    }
    expect(new Set(sent).size).toBe(3);
    bench.test.chain.mine(1);
    for (const id of sent) expect(bench.test.chain.tip().transactions.map((one) => one.id)).toContain(id);
    await second.node.close();
  });

  it('cannot come back if the log lacks a password of a node, which it says; nothing shows it', async () => {
    const bench = await processes();
    const first = await bench.node();
    const url = bench.listening.url.replace('://', '://user:hunter2@');
    await first.enable({ nodes: [{ url }], ...withAssets('ATOM-IBC') });
    const stored = JSON.stringify(await bench.log.read('enable-tendermint/0'));
    expect([stored.includes('hunter2'), stored.includes('"withheld":["/nodes/0/url"]')]).toEqual([false, true]);
    await first.node.close();
    const second = await bench.node();
    await expect.poll(async () => (await bench.types(0)).at(-1)).toBe('Failed');
    expect(second.node.afterRestart().lost).toMatchObject([
      { coins: ['NYAN', 'ATOM-IBC'], withheld: ['/nodes/0/url'], call: 'enable_tendermint_with_assets' },
    ]);
    const failed = (await bench.log.read('enable-tendermint/0')).find(({ type }) => type === 'Failed');
    expect(failed?.data).toMatchObject({ error_type: 'InvalidPayload' });
    expect([second.active(), bench.lines.join('\n').includes('hunter2')]).toEqual([[], false]);
    expect(await second.enable({ nodes: [{ url }] })).toMatchObject({ current_block: bench.test.height });
    await second.node.close();
  });

  it('wait for a coins file that has them again, and an asset that it lacks does not hold up the others', async () => {
    const bench = await processes();
    const first = await bench.node();
    await first.enable(withAssets('ATOM-IBC', 'OSMO-IBC'));
    await first.node.close();
    const without = (ticker: string) =>
      coinsOf(
        ENTRIES.filter(({ coin }) => coin !== ticker),
        'coins',
      );
    const second = await bench.node({}, without('OSMO-IBC'));
    await until(second, 'ATOM-IBC', 'NYAN');
    await second.node.close();
    const third = await bench.node({}, without('NYAN'));
    await expect.poll(() => bench.lines.join('\n')).toContain('Platform NYAN config is not found');
    await third.node.close();
    const fourth = await bench.node();
    await until(fourth, 'ATOM-IBC', 'NYAN', 'OSMO-IBC');
    await fourth.node.close();
  });

  it('wait for a process that has their key', async () => {
    const bench = await processes();
    const first = await bench.node();
    await first.enable();
    await first.node.close();
    // One whose coins have keys by their paths, of which the coins file has none.
    const second = await bench.node({ signerOfPath: () => walletOfPassphrase(new Secret('of somebody else')) });
    await expect.poll(() => bench.lines.join('\n')).toContain("'derivation_path' field is not found in config");
    expect(second.node.tendermintTasks.comingBack('NYAN')).toEqual(['NYAN']);
    await second.node.close();
    const third = await bench.node();
    await until(third, 'NYAN');
    await third.node.close();
  });
});

describe('the account of coins that are in use together', () => {
  const OTHER = walletOfPassphrase(new Secret('of somebody else')).coins.key;
  const watching = (key: Uint8Array) => ({
    activation_params: { type: 'WithPubkey', params: { pubkey: { type: 'secp256k1', value: [...key] } } },
  });

  it('is shared: a coin does not come back on another account than its assets have', async () => {
    const bench = await processes();
    const first = await bench.node();
    await first.enable(withAssets('ATOM-IBC', 'OSMO-IBC'));
    await first.node.disable('NYAN');
    for (const members of [{}, withAssets('ATOM-IBC')]) {
      const error = { error_data: { ticker: 'NYAN', error: expect.stringContaining(`for the account ${OWNER}`) } };
      expect(await failureOf(first.enable({ ...watching(OTHER), ...members }))).toMatchObject(error);
    }
    expect(first.active()).toEqual(['ATOM-IBC', 'OSMO-IBC']);
    expect(await first.enable(withAssets('ATOM-IBC'))).toMatchObject({ address: OWNER });
    await first.node.close();
  });

  it('is not watched alone while a swap of its own needs it', async () => {
    const bench = await processes();
    const swap = '11111111-2222-4333-8444-555555555555';
    const begun = { uuid: swap, started_at: 1, my_persistent_pub: bytesToHex(OWNER_KEY), maker_coin: 'KMD' };
    await bench.log.append({
      ...{ stream: `taker-swap/${swap}`, expected: 0, labels: { takerCoin: 'NYAN', finished: false } },
      records: [{ at: bench.clock.now(), version: 1, type: 'Started', data: { ...begun, taker_coin: 'NYAN' } }],
    });
    const { enable, node } = await bench.node();
    const error = expect.stringContaining(`swap ${swap} of NYAN needs a key that can sign`);
    expect(await failureOf(enable(watching(OWNER_KEY)))).toMatchObject({ error_data: { ticker: 'NYAN', error } });
    expect(await enable()).toMatchObject({ address: OWNER });
    await node.close();
  });
});

describe('an activation by one call', () => {
  it('leaves nothing active if it fails, and its failure in the log', async () => {
    const bench = await processes();
    const { node, enable, active } = await bench.node();
    const task = await failureOf(enable({ nodes: [{ url: 'http://127.0.0.1:1' }] }));
    expect(task).toMatchObject({ error_type: 'Transport', error_path: 'enable_tendermint' });
    expect([active(), await bench.types(0)]).toEqual([[], ['TaskStarted', 'Failed', 'Forgotten']]);
    expect(await enable()).toMatchObject({ ticker: 'NYAN' });
    await node.close();
  });

  it('J18: of two at the same time one succeeds', async () => {
    const bench = await processes();
    const { node, enable } = await bench.node();
    const told = await Promise.allSettled([enable(), enable()]);
    expect(told.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = told.find((one) => one.status === 'rejected');
    expect(refused?.reason).toMatchObject({ task: { error_type: 'PlatformIsAlreadyActivated' } });
    await node.close();
  });

  it('is reported as active if the log does not accept the record of its reported outcome', async () => {
    const bench = await processes();
    let refusals = 1;
    const append: EventLog['append'] = async (batch) => {
      if (batch.records[0]?.type === 'ResultForgotten' && refusals > 0) {
        refusals -= 1;
        throw new Error('the disk is full');
      }
      return bench.log.append(batch);
    };
    const log: EventLog = Object.create(bench.log, { append: { value: append }, close: { value: () => {} } });
    const { node, enable, active } = await bench.node({ log });
    expect(await enable()).toMatchObject({ ticker: 'NYAN' });
    expect([refusals, active()]).toEqual([0, ['NYAN']]);
    await node.close();
  });

  it('has an answer if it begins while the node is closing', async () => {
    for (const turns of [0, 1, 2, 5, 10, 20]) {
      const bench = await processes();
      const { node, enable } = await bench.node();
      const asked = failureOf(enable());
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      await node.close();
      expect(await asked, `after ${turns} turns`).toBeTypeOf('object');
    }
  });

  it('does not run without what its log lacks, if the process does not have it either', async () => {
    const bench = await processes();
    let refusals = 1;
    const append: EventLog['append'] = async (batch) => {
      const answer = await bench.log.append(batch);
      // It is in the log, which fails to say so.
      if (refusals > 0) throw new Error(`the disk is full, ${refusals--}`);
      return answer;
    };
    const log: EventLog = Object.create(bench.log, { append: { value: append }, close: { value: () => {} } });
    const { node, enable, active } = await bench.node({ log });
    const elsewhere = { activation_params: { priv_key_policy: { type: 'Metamask' } } };
    await expect(enable(elsewhere)).rejects.toThrow('the disk is full');
    await bench.clock.advance(1000);
    await expect.poll(async () => (await bench.types(0)).at(-1)).toBe('Failed');
    const [, failed] = await bench.log.read('enable-tendermint/0');
    expect([failed?.data, active()]).toEqual([expect.objectContaining({ error_type: 'InvalidPayload' }), []]);
    await node.close();
  });

  it.each([
    ['specification', 'InternalError'],
    ['kdf', 'Internal'],
  ] as const)('ends with the node, as an error (%s)', async (compatibility, error_type) => {
    const bench = await processes();
    const { node, enable } = await bench.node({ compatibility });
    const { url, heard } = await silentNode();
    const task = failureOf(enable({ nodes: [{ url }] }));
    await expect.poll(heard).toBe(1);
    await node.close();
    expect(await task).toMatchObject({ error_type });
    // It goes on in the next process, and its outcome, which nobody waits for any more, is forgotten.
    const second = await bench.node();
    await expect.poll(heard).toBe(2);
    await second.node.close();
  });
});
