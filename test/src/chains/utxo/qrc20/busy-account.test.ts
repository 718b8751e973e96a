import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ElectrumBackend } from '../../../../../src/chains/utxo/electrum/panel.ts';
import { type ElectrumServers, keepServers } from '../../../../../src/chains/utxo/electrum/servers.ts';
import { scriptOfAccount } from '../../../../../src/chains/utxo/qrc20/calls.ts';
import { scripthashOf } from '../../../../../src/chains/utxo/scripthash.ts';
import type { PaymentTerms } from '../../../../../src/ports/chain.ts';
import type { DecimalText } from '../../../../../src/primitives/decimal.ts';
import { hash160, sha256 } from '../../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../../src/primitives/hex.ts';
import type { UnixSeconds } from '../../../../../src/primitives/time.ts';
import { type ElectrumServer, openElectrumServer } from '../../../../../src/rpc/electrum/server.ts';
import { systemClock } from '../../../../../src/runtime/host/clock-system.ts';
import { answerOf } from '../../../../../src/testing/contracts/chain/scene.ts';
import { ANVIL } from '../../../../support/evm/anvil.ts';
import { describeWith } from '../../../../support/optional-part.ts';
import { tokenOf, tokenWallet } from '../../../../support/qtum/adapter-chain.ts';
import { accountOf, QtumTestChain } from '../../../../support/qtum/chain.ts';
import { virtualClock } from '../../../../support/virtual-clock.ts';

const SWAP = { swap: '8a7e1d7c-3f5e-4a51-9d0b-6f6f1a2b3c4d' } as const;
const FIRST = { urgency: 0, replaces: null } as const;
const LOGGER = { info() {}, warn() {}, error() {} };

// Whoever wants to can send so much to an address that no server tells its history any more, to its own among them.
describeWith(ANVIL, 'a swap with an account whose history no server reports', () => {
  let chain: QtumTestChain;
  let server: ElectrumServer;
  let servers: ElectrumServers;
  const refused = new Set<string>();

  beforeAll(async () => {
    chain = await QtumTestChain.start();
    const clock = systemClock();
    server = await openElectrumServer({ client: chain.client, clock, logger: LOGGER, software: 'a test', tcp: 0 });
    servers = keepServers({
      servers: [
        { url: `localhost:${server.tcpPort}`, protocol: 'TCP', disableCertVerification: false, timeoutMs: 5000 },
      ],
      ...{ minConnected: 1, maxConnected: 1, clock, client: 'a test' },
    });
  }, 60_000);
  afterAll(async () => {
    servers.close();
    await server.close();
    await chain.close();
  });

  const backend: ElectrumBackend = {
    onNews: () => ({ close() {} }),
    async batch(calls) {
      await server.look();
      const answers = await servers.batch(calls);
      return answers.map((answer, place) => {
        const [method, hash] = calls[place] ?? [];
        const isRefused = method?.startsWith('blockchain.scripthash') === true && refused.has(String(hash));
        return isRefused ? { error: { code: 1, message: 'history too large' } } : answer;
      });
    },
  };

  it('continues: its payment is found, its claim with the secret, its fee is checked, and the own payment is refunded', async () => {
    const coin = await tokenOf(chain, { payer: 5_000_000n, busy: 6_000_000n });
    await chain.fund('payer', { count: 8, value: 300_000_000n });
    await chain.fund('busy', { count: 8, value: 200_000_000n });
    const clock = virtualClock(chain.now * 1000);
    refused.add(scripthashOf(hexToBytes(scriptOfAccount(accountOf('busy')))));
    const payer = tokenWallet(chain, 'payer', { coin, clock, servers: backend });
    const busy = tokenWallet(chain, 'busy', { coin, clock });
    const termsOf = (secret: string, changes: Partial<PaymentTerms>): PaymentTerms => ({
      lock: (chain.now + 300) as UnixSeconds,
      secretHash: bytesToHex(hash160(hexToBytes(secret))),
      sender: payer.htlcKey(''),
      receiver: busy.htlcKey(''),
      amount: '0.5' as DecimalText,
      contract: coin.contract,
      ...changes,
    });
    const [first, second, third] = [1, 2, 3].map((place) => bytesToHex(sha256(Uint8Array.of(place)))) as [
      string,
      string,
      string,
    ];

    const mine = termsOf(first, {});
    const funding = await answerOf(payer.prepare({ purpose: 'payment', terms: mine, ...FIRST }, SWAP));
    await answerOf(payer.broadcast(funding));
    await chain.mine();
    const claim = await answerOf(
      busy.prepare({ purpose: 'claim', terms: mine, funding, secret: first, ...FIRST }, SWAP),
    );
    await answerOf(busy.broadcast(claim));
    await chain.mine();
    const { spend } = await answerOf(payer.payment({ terms: mine }));
    expect(spend).toMatchObject({ how: 'secret', secret: first, confirmations: 1, tx: { tx_hash: claim.tx_hash } });

    const theirs = termsOf(second, {
      sender: busy.htlcKey(''),
      receiver: payer.htlcKey(''),
      amount: '0.25' as DecimalText,
    });
    const payment = await answerOf(busy.prepare({ purpose: 'payment', terms: theirs, ...FIRST }, SWAP));
    await answerOf(busy.broadcast(payment));
    await chain.mine(2);
    const seen = await answerOf(payer.payment({ terms: theirs }));
    expect(seen).toMatchObject({ problem: null, funding: { confirmations: 2, tx: { tx_hash: payment.tx_hash } } });

    const feeSat = 777n;
    const fee = await answerOf(busy.prepare({ purpose: 'fee', feeSat, burnSat: 0n, ...FIRST }, SWAP));
    await answerOf(busy.broadcast(fee));
    await chain.mine();
    const check = { tx: fee.tx_hex, hash: fee.tx_hash, payer: busy.htlcKey(''), feeSat, burnSat: 0n, minHeight: 0 };
    expect(await answerOf(payer.checkFee(check, SWAP))).toBeNull();

    const back = termsOf(third, {});
    const own = await answerOf(payer.prepare({ purpose: 'payment', terms: back, ...FIRST }, SWAP));
    await answerOf(payer.broadcast(own));
    await chain.passTime(back.lock);
    expect(await answerOf(payer.payment({ terms: back }))).toMatchObject({ refundable: true, spend: null });
    const refund = await answerOf(payer.prepare({ purpose: 'refund', terms: back, funding: own, ...FIRST }, SWAP));
    await answerOf(payer.broadcast(refund));
    await chain.mine();
    expect((await answerOf(payer.payment({ terms: back }))).spend).toMatchObject({ how: 'refund', confirmations: 1 });
    // Nothing else of the wallet depends on that history.
    expect(await payer.quote()).toMatchObject({ ok: true });
  });
});
