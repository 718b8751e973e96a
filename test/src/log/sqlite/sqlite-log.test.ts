import { it } from 'vitest';
import { openSqliteLog } from '../../../../src/log/sqlite/open.ts';
import { eventLogContract } from '../../../../src/testing/log-contract.ts';
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
