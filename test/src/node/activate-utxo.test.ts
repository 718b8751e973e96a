import { expect, it } from 'vitest';
import type { ElectrumAnswer, ElectrumCall } from '../../../src/chains/utxo/electrum/connection.ts';
import type { ServersOptions } from '../../../src/chains/utxo/electrum/servers.ts';
import { KDF_NETWORK } from '../../../src/htlc/network-profile.ts';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { activateOverServers, type UtxoTerms } from '../../../src/node/activate-utxo.ts';
import { Births } from '../../../src/node/births.ts';
import { walletOfPassphrase } from '../../../src/node/keys.ts';
import { SharedCoins } from '../../../src/node/qrc20/shared-coins.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { millisOf } from '../../../src/primitives/time.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const ENTRY = { coin: 'LTC', mm2: 1, pubtype: 48, p2shtype: 50, txfee: 1000, protocol: { type: 'UTXO' } };
const HEADER = '00'.repeat(80);
const told: Record<string, ElectrumAnswer> = {
  'server.version': { result: ['a test', '1.4'] },
  'blockchain.headers.subscribe': { result: { height: 0, hex: HEADER } },
  'blockchain.scripthash.subscribe': { error: { code: 1, message: 'history too large' } },
};

function activating({ isNeeded }: { readonly isNeeded: boolean }) {
  const clock = virtualClock();
  let asked = 0;
  const connectServer: ServersOptions['connect'] = async () => ({
    ...{ ended: new Promise<string>(() => {}), close() {} },
    batch: async (calls: readonly ElectrumCall[]) => {
      asked += 1;
      if (asked > 100) throw new Error('it goes round for ever');
      return calls.map(([method]) => told[method] ?? { error: { code: 1, message: `no ${method}` } });
    },
  });
  const births = new Births({ log: createMemoryLog(), now: () => millisOf(0), guardFor: 0 });
  const { of } = births;
  births.of = (coin) => (isNeeded ? 7 : of.call(births, coin));
  const servers = ['a', 'b'].map((name) => ({
    ...({ url: `${name}.example:50001`, protocol: 'TCP', disableCertVerification: false, timeoutMs: 1000 } as const),
  }));
  const terms: UtxoTerms = {
    signer: walletOfPassphrase(new Secret('an example')),
    signerOfPath: undefined,
    clock,
    network: KDF_NETWORK,
    requiredConfirmations: null,
    requiresNotarization: null,
    usualConfirmations: 1,
    walletOnly: false,
    finality: 6,
    poll: 10,
    births,
    merging: null,
    connect: () => ({ batch: async () => [] }),
    connectServer,
    logger: undefined,
    sharedCoins: new SharedCoins(),
  };
  return activateOverServers(ENTRY, { ...terms, servers, minConnected: 1, maxConnected: 2 });
}

it('a coin whose own history no server reports is not activated, and the reason says so', async () => {
  await expect(activating({ isNeeded: false })).rejects.toMatchObject({
    kind: 'serversUnreachable',
    message: expect.stringMatching(/^no server tells the history of the own address, because it is too large/),
  });
});

it('such a coin is activated if a swap of the log needs it: what is locked is claimed and refunded without that history', async () => {
  const active = await activating({ isNeeded: true });
  expect(await active.balances()).toMatchObject({ ok: false, fault: { kind: 'unknown' } });
  expect(active.chain.traits.coin).toBe('LTC');
  active.close();
});
