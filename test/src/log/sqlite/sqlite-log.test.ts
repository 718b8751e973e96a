import { expect, it, vi } from 'vitest';
import { openSqliteLog } from '../../../../src/log/sqlite/open.ts';
import { append, collect } from '../../../../src/testing/contracts/log/expect.ts';
import { eventLogContract } from '../../../../src/testing/contracts/log-contract.ts';
import { alterRecord, scratchLog } from '../../../support/logs.ts';

async function open() {
  const { path, dispose } = scratchLog();
  let log = await openSqliteLog({ path });
  return {
    log,
    reopen: async () => {
      await log.close();
      log = await openSqliteLog({ path });
      return log;
    },
    damage: (stream: string, seq: number) => alterRecord(path, stream, seq),
    dispose: async () => {
      await log.close();
      dispose();
    },
  };
}

for (const { title, run } of eventLogContract({ name: 'sqlite', open })) it(title, run);

it('answers and notifies its subscribers in a suite that fakes its timers', async () => {
  const { log, dispose } = await open();
  vi.useFakeTimers();
  try {
    const { seen } = collect(log, { after: 0 });
    await append(log, ['taker-swap/1', 0], 'Started', 'Negotiated');
    await log.close();
    expect(seen.map(({ envelope }) => envelope.type)).toEqual(['Started', 'Negotiated']);
  } finally {
    vi.useRealTimers();
    await dispose();
  }
});

it('says with which hash each stream ends, without the damaged ones', async () => {
  const { log, reopen, damage, dispose } = await open();
  try {
    await append(log, ['taker-swap/1', 0], 'Started', 'Negotiated');
    const [other] = await append(log, ['maker-swap/1', 0], 'Started');
    const [, , last] = await append(log, ['taker-swap/1', 2], 'TakerFeeSent').then(() => log.read('taker-swap/1'));
    expect([...(await log.tips())]).toEqual([
      ['taker-swap/1', last?.hash],
      ['maker-swap/1', other?.hash],
    ]);
    damage('taker-swap/1', 1);
    expect([...(await (await reopen()).tips())]).toEqual([['maker-swap/1', other?.hash]]);
  } finally {
    await dispose();
  }
});

it('lists the ends of more streams than it reads at a time', async () => {
  const { log, dispose } = await open();
  try {
    const streams = Array.from({ length: 4100 }, (_, index) => `taker-swap/${index}`);
    await Promise.all(streams.map((stream) => append(log, [stream, 0], 'Started')));
    expect([...(await log.tips()).keys()]).toEqual(streams);
  } finally {
    await dispose();
  }
});
