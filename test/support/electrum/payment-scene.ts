import type { UtxoChain } from '../../../src/chains/utxo/adapter.ts';
import type { PaymentTerms, PreparedTransaction } from '../../../src/ports/chain.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { hash160 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import { unixSecondsOf } from '../../../src/primitives/time.ts';
import { openElectrumServer } from '../../../src/rpc/electrum/server.ts';
import { systemClock } from '../../../src/runtime/host/clock-system.ts';
import { answerOf } from '../../../src/testing/contracts/chain/scene.ts';
import { type EmbeddedChain, startEmbeddedChain } from '../utxo/embedded-chain.ts';
import { type VirtualClock, virtualClock } from '../virtual-clock.ts';
import { type CrookedServers, crookedServers } from './crooked.ts';

export const SWAP = { swap: '8a7e1d7c-3f5e-4a51-9d0b-6f6f1a2b3c4d' } as const;
const LOCK_AFTER = 7800;
const LOGGER = { info() {}, warn() {}, error() {} };

/** A payment to a taker, two blocks deep, and the taker's wallet over servers of some names. */
export type PaymentScene = {
  readonly clock: VirtualClock;
  readonly crooked: CrookedServers;
  readonly taker: UtxoChain;
  readonly terms: PaymentTerms;
  readonly payment: PreparedTransaction;
  readonly secret: string;
};

export type PaymentScenes = {
  readonly chain: EmbeddedChain;
  readonly begin: (...names: readonly string[]) => Promise<PaymentScene>;
  readonly close: () => Promise<void>;
};

/** An embedded chain with an Electrum server in front of it, and payments on it, each with a secret of its own. */
export async function paymentScenes(): Promise<PaymentScenes> {
  const chain = await startEmbeddedChain({ finality: 4 });
  await chain.fund('payer', { count: 30, value: 90_000_000n });
  await chain.mine(13);
  const software = 'a test';
  const server = await openElectrumServer({
    ...{ client: chain.client, clock: systemClock(), logger: LOGGER, software, tcp: 0 },
  });
  const payer = chain.wallet('payer', virtualClock(chain.now() * 1000));
  let made = 0;
  return {
    chain,
    async begin(...names) {
      made += 1;
      const secret = `${'5e'.repeat(31)}${made.toString(16).padStart(2, '0')}`;
      const terms: PaymentTerms = {
        lock: unixSecondsOf(chain.now() + LOCK_AFTER),
        secretHash: bytesToHex(hash160(hexToBytes(secret))),
        sender: payer.htlcKey(SWAP.swap),
        receiver: chain.wallet('taker', virtualClock()).htlcKey(SWAP.swap),
        amount: '0.31' as DecimalText,
        contract: null,
      };
      const payment = await answerOf(payer.prepare({ purpose: 'payment', terms, urgency: 0, replaces: null }, SWAP));
      await answerOf(payer.broadcast(payment));
      await chain.mine(2);
      const clock = virtualClock(chain.now() * 1000);
      const crooked = crookedServers({ server, names, clock });
      const taker = chain.wallet('taker', clock, { servers: crooked.servers });
      // Servers are connected to over sockets, one after another.
      while (crooked.servers.connected().length < names.length) await new Promise((done) => setImmediate(done));
      return { clock, crooked, taker, terms, payment, secret };
    },
    async close() {
      await server.close();
      await chain.close();
    },
  };
}
