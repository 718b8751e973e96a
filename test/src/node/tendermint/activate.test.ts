import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { initialEnableTendermintContext } from '../../../../machines/activation/enable-tendermint/context.ts';
import { defaultTaskLimits } from '../../../../src/events/task-payloads.ts';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import { Births } from '../../../../src/node/births.ts';
import { CoinTable } from '../../../../src/node/coin-table.ts';
import { coinsOf } from '../../../../src/node/coins-file.ts';
import { walletOfPassphrase } from '../../../../src/node/keys.ts';
import { WorkEnded } from '../../../../src/node/tasks/activation-worker.ts';
import { PlatformCoins } from '../../../../src/node/tasks/platform-coins.ts';
import { activateTendermint } from '../../../../src/node/tendermint/activate.ts';
import { TendermintHomes } from '../../../../src/node/tendermint/homes.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import { ENTRIES } from '../../../support/tendermint/node-processes.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const QUIET = { info() {}, warn() {}, error() {} };

/** Its work is ended in the moment in which all is open, before anybody could have heard of it. */
class EndingHomes extends TendermintHomes {
  end: () => void = () => {};

  override enter(moving: Parameters<TendermintHomes['enter']>[0]): ReturnType<TendermintHomes['enter']> {
    queueMicrotask(this.end);
    return super.enter(moving);
  }
}

type Given = { readonly tokens: { ticker: string }[]; readonly url: string };

/** The activation of a platform with these assets, whose work is ended once all is open. */
function activating({ tokens, url }: Given) {
  const [clock, log, ending] = [virtualClock(), createMemoryLog(), new AbortController()];
  const homes = new EndingHomes(clock, QUIET);
  homes.end = () => ending.abort();
  const table = new CoinTable();
  const params = { ticker: 'NYAN', nodes: [{ url }], tokens_params: tokens };
  const begun = { task_id: 0, client_id: 0, withheld: [], limits: defaultTaskLimits, answered_at_once: false };
  const context = { ...initialEnableTendermintContext(), started: { ...begun, params } };
  const run = {
    ...{ stream: 'enable-tendermint/0', want: { effect: 'activateCoin', params: {} }, signal: ending.signal },
    ...{ others: async () => {}, report: async () => false },
  };
  const asked = activateTendermint(
    { run, session: {}, context, passive: false },
    {
      ...{ coins: coinsOf(ENTRIES, 'coins'), active: new PlatformCoins(table), homes, clock, logger: QUIET, poll: 5 },
      births: new Births({ log, now: () => clock.now(), guardFor: 3600 }),
      ...{ signer: walletOfPassphrase(new Secret('of this test')), signerOfPath: undefined, remote: null },
      ...{ compatibility: 'kdf', usualConfirmations: 1 },
    },
  );
  return { asked, homes, table };
}

it('asks nobody for work that was ended while it connected to its nodes', async () => {
  let heard = 0;
  const server = createServer(() => {
    heard += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { asked, homes, table } = activating({ tokens: [], url });
  await expect(asked).rejects.toBeInstanceOf(WorkEnded);
  expect([heard, homes.size]).toEqual([0, 0]);
  table.reserve(['NYAN']);
});

it('says which asset a request names twice', async () => {
  const tokens = [{ ticker: 'ATOM-IBC' }, { ticker: 'ATOM-IBC' }];
  const { asked, homes } = activating({ tokens, url: 'http://127.0.0.1:9' });
  await expect(asked).rejects.toMatchObject({
    message: expect.stringMatching(/: the request names ATOM-IBC twice$/),
  });
  expect(homes.size).toBe(0);
});
