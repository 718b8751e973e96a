import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { tendermintAccount, tendermintAddress } from '../../src/htlc/tendermint-address.ts';
import { createMemoryLog } from '../../src/log/memory/index.ts';
import { coinsOf } from '../../src/node/coins-file.ts';
import { walletOfPassphrase } from '../../src/node/keys.ts';
import { createNode } from '../../src/node/node.ts';
import { createInProcessNetwork } from '../../src/peers/in-process/index.ts';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import { hexToBytes } from '../../src/primitives/hex.ts';
import { Secret } from '../../src/primitives/secret.ts';
import type { UnixSeconds } from '../../src/primitives/time.ts';
import { listenWith } from '../../src/rpc/framework/listen.ts';
import { withRpc } from '../../src/rpc/index.ts';
import { systemClock } from '../../src/runtime/host/clock-system.ts';
import { createCometChain } from '../../src/testing/cometbft/chain.ts';
import { createCometNode } from '../../src/testing/cometbft/node.ts';
import { listenCometNode } from '../../src/testing/cometbft/server.ts';
import { describeShared, SHARED_DIR } from '../support/shared.ts';

// The cases were gathered from the specification, from published samples and from the real node's own tests.

const CASES = '^tm-|^balance-tendermint$';
/** They need a node with keys by paths, one without keys, or a session with a wallet elsewhere. */
const NOT_HERE = ['tm-activation-params-kdf', 'tm-err-hd-no-path'];
/** Of the generator of secp256k1. */
const PUBKEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const WATCHED = {
  PUBKEY_BYTES: [...hexToBytes(PUBKEY)],
  PUBKEY_ADDRESS: tendermintAddress('cosmos', tendermintAccount(hexToBytes(PUBKEY)) ?? ''),
};

describeShared('activation of coins of Tendermint chains by the acceptance cases', () => {
  it.each([
    ['spec', 'specification', 19, ['tm-activation-params-spec']],
    ['kdf', 'kdf', 20, ['tm-err-internal-kdf']],
  ] as const)(
    'in the mode %s',
    async (mode, compatibility, passing, more) => {
      const folder = mkdtempSync(join(tmpdir(), 'swapfold-tendermint-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const given = (name: string) => JSON.parse(readFileSync(join(SHARED_DIR, 'interface-b', name), 'utf8'));
      const rules = { chainId: 'cosmoshub-testnet', prefix: 'cosmos', module: null, feeDenom: 'uatom' };
      const chain = createCometChain({
        ...{ ...rules, gasPrice: '0.1' as DecimalText },
        ...{ startTime: 1_700_000_000 as UnixSeconds, blockTime: 5 },
      });
      const cosmos = await listenCometNode(createCometNode(chain), { sockets: false });
      onTestFinished(() => cosmos.close());
      const { subs } = given('subs.example.json') as { readonly subs: Readonly<Record<string, string>> };
      const node = withRpc(
        createNode({
          ...{ coins: coinsOf(given('coins.example.json'), 'coins'), compatibility, log: createMemoryLog() },
          signer: walletOfPassphrase(new Secret('a passphrase of the suite')),
          ...{ clock: systemClock(), peers: createInProcessNetwork().peer('a1'.repeat(32)) },
        }),
        { password: new Secret(String(subs['USERPASS'])) },
      );
      onTestFinished(async () => void (await node.close()));
      const { port, close } = await listenWith(node.handle, { clock: systemClock(), port: 0, timeouts: { close: 50 } });
      onTestFinished(() => close());
      const file = (name: string) => join(folder, name);
      const told = { subs: { ...subs, ...WATCHED, COSMOS_URL: cosmos.url }, available: ['cometbft'] };
      writeFileSync(file('subs.json'), JSON.stringify(told));
      const runner = join(SHARED_DIR, 'interface-b/run.mjs');
      const options = ['--mode', mode, '--only', CASES, '--json', file('report.json')];
      const child = spawn(process.execPath, [runner, `http://127.0.0.1:${port}`, file('subs.json'), ...options], {
        stdio: 'ignore',
      });
      await new Promise((resolve) => child.once('exit', resolve));
      const { report } = JSON.parse(readFileSync(file('report.json'), 'utf8')) as {
        readonly report: readonly { readonly id: string; readonly verdict: string; readonly why: readonly string[] }[];
      };
      const of = (wanted: string) => report.filter(({ verdict }) => verdict === wanted);
      expect(of('fail').map(({ id, why }) => `${id}: ${why.join('; ')}`)).toEqual([]);
      expect(
        of('skip')
          .map(({ id }) => id)
          .filter((id) => ![...NOT_HERE, ...more, 'tm-address-of-seed'].includes(id)),
      ).toEqual([]);
      expect(of('pass').length).toBe(passing);
    },
    120_000,
  );
});
