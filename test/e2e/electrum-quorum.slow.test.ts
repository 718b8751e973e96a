import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UtxoChain } from '../../src/chains/utxo/adapter.ts';
import type { PaymentTerms, PaymentView, PreparedTransaction } from '../../src/ports/chain.ts';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import { hash160 } from '../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../src/primitives/hex.ts';
import { unixSecondsOf } from '../../src/primitives/time.ts';
import { type ElectrumServer, openElectrumServer } from '../../src/rpc/electrum/server.ts';
import { systemClock } from '../../src/runtime/host/clock-system.ts';
import { answerOf } from '../../src/testing/contracts/chain/scene.ts';
import {
  type CrookedServers,
  crookedServers,
  forgedOnce,
  stuckAt,
  withHistories,
} from '../support/electrum/crooked.ts';
import { type EmbeddedChain, startEmbeddedChain } from '../support/utxo/embedded-chain.ts';
import { type VirtualClock, virtualClock } from '../support/virtual-clock.ts';

const LOGGER = { info() {}, warn() {}, error() {} };
const SWAP = { swap: '8a7e1d7c-3f5e-4a51-9d0b-6f6f1a2b3c4d' } as const;
const SECRET = '5e'.repeat(31);
const LOCK_AFTER = 7800;

let chain: EmbeddedChain;
let server: ElectrumServer;
let payer: UtxoChain;
let made = 0;
beforeAll(async () => {
  chain = await startEmbeddedChain({ finality: 4 });
  await chain.fund('payer', { count: 30, value: 90_000_000n });
  await chain.mine(13);
  server = await openElectrumServer({
    client: chain.client,
    clock: systemClock(),
    logger: LOGGER,
    software: 'a test',
    tcp: 0,
  });
  payer = chain.wallet('payer', virtualClock(chain.now() * 1000));
});
afterAll(async () => {
  await server.close();
  await chain.close();
});

let clock: VirtualClock;
let crooked: CrookedServers;
let taker: UtxoChain;
let terms: PaymentTerms;
let secret: string;
let payment: PreparedTransaction;

/** A payment to the taker, two blocks deep, and the taker's wallet over servers of these names. */
async function over(...names: readonly string[]): Promise<void> {
  clock = virtualClock(chain.now() * 1000);
  crooked = crookedServers({ server, names, clock });
  taker = chain.wallet('taker', clock, { servers: crooked.servers });
  await expect
    .poll(() => crooked.servers.connected().length, { interval: 2, timeout: 60_000 })
    .toBe(names.filter((name) => crooked.at(name).up).length);
}

beforeEach(async () => {
  made += 1;
  secret = `${SECRET}${made.toString(16).padStart(2, '0')}`;
  terms = {
    lock: unixSecondsOf(chain.now() + LOCK_AFTER),
    secretHash: bytesToHex(hash160(hexToBytes(secret))),
    sender: payer.htlcKey(SWAP.swap),
    receiver: chain.wallet('taker', virtualClock()).htlcKey(SWAP.swap),
    amount: '0.31' as DecimalText,
    contract: null,
  };
  payment = await answerOf(payer.prepare({ purpose: 'payment', terms, urgency: 0, replaces: null }, SWAP));
  await answerOf(payer.broadcast(payment));
  await chain.mine(2);
});
afterEach(() => crooked.servers.close());

const view = (): Promise<PaymentView> => answerOf(taker.payment({ terms }));
const faultOf = async (): Promise<string> => {
  const answer = await taker.payment({ terms });
  return answer.ok ? JSON.stringify(answer.value) : `${answer.fault.kind}: ${answer.fault.message}`;
};
/** What is so, by the chain's own daemon. */
const truth = () => answerOf(chain.wallet('somebody', clock).payment({ terms }));
const requests = () => ['a', 'b', 'c'].reduce((sum, name) => sum + (crooked.at(name)?.requests ?? 0), 0);
const heightOf = (): number => server.tip().height - 1;

/** What is told of the payment's own transaction at another height. */
const paidAt = (height: (told: number) => number) =>
  withHistories((entries) =>
    entries.map((entry) => (entry.tx_hash === payment.tx_hash ? { ...entry, height: height(entry.height) } : entry)),
  );

describe('of three servers, one of which lies', () => {
  it.each([
    ['about a height', () => paidAt((told) => told - 3)],
    ['about a payment that it calls waiting', () => paidAt(() => 0)],
    [
      'about a payment that it does not tell of',
      () => withHistories((all) => all.filter((one) => one.tx_hash !== payment.tx_hash)),
    ],
    [
      'with proofs of another place',
      () =>
        async ([method, ...rest]: readonly unknown[], honest: (call: never) => Promise<unknown>) => {
          if (method !== 'blockchain.transaction.get_merkle') return undefined;
          const told = (await honest([method, ...rest] as never)) as { pos: number };
          return { ...told, pos: Number(told.pos) ^ 1 };
        },
    ],
    ['with nothing but errors', () => () => new Error('excessive resource usage')],
    [
      'with bytes of another transaction',
      () =>
        ([method]: readonly unknown[]) =>
          method === 'blockchain.transaction.get' ? '00' : undefined,
    ],
    [
      'in which block is the last',
      () =>
        async ([method]: readonly unknown[], honest: (call: never) => Promise<unknown>) => {
          if (method !== 'blockchain.headers.subscribe') return undefined;
          const height = server.tip().height;
          const hex = String(await honest(['blockchain.block.header', height] as never));
          // Two hours later, by the four bytes of its time.
          const late = Buffer.from(hex, 'hex');
          late.writeUInt32LE(late.readUInt32LE(100) + 7200, 100);
          return { height, hex: late.toString('hex') };
        },
    ],
    [
      'by a chain that is longer',
      () =>
        async ([method]: readonly unknown[], honest: (call: never) => Promise<unknown>) => {
          if (method !== 'blockchain.headers.subscribe') return undefined;
          const height = server.tip().height;
          return { height: height + 400, hex: await honest(['blockchain.block.header', height] as never) };
        },
    ],
  ])('%s, and the answers of the others count, whichever is asked first', async (_, twistOf) => {
    for (const liar of ['a', 'b', 'c']) {
      await over('a', 'b', 'c');
      crooked.at(liar).twist = twistOf() as never;
      expect(await view()).toEqual(await truth());
      expect((await view()).funding?.confirmations).toBe(2);
      crooked.servers.close();
    }
  });

  it('about a spend that does not exist: no spend is reported', async () => {
    await over('a', 'b', 'c');
    crooked.at('a').twist = withHistories((all) => [...all, { tx_hash: 'ab'.repeat(32), height: 0 }]);
    expect((await view()).spend).toBeNull();
  });

  it('about a missing spend: the proof of the first server that has it counts', async () => {
    const claimer = chain.wallet('taker', virtualClock(chain.now() * 1000));
    const request = { purpose: 'claim', terms, funding: payment, secret, urgency: 0, replaces: null } as const;
    const claim = await answerOf(claimer.prepare(request, SWAP));
    await answerOf(claimer.broadcast(claim));
    await chain.mine(1);
    for (const liar of ['a', 'b', 'c']) {
      await over('a', 'b', 'c');
      crooked.at(liar).twist = withHistories((all) => all.filter(({ tx_hash }) => tx_hash !== claim.tx_hash));
      expect((await view()).spend).toMatchObject({ how: 'secret', secret, confirmations: 1 });
      crooked.servers.close();
    }
  });

  it('and is disconnected, reported, and asked again only after a while', async () => {
    await over('a', 'b', 'c');
    crooked.at('a').twist = paidAt((told) => told - 1);
    await view();
    expect(crooked.alarms).toEqual([expect.stringMatching(/^a:1 .*does not prove that [0-9a-f]{64} is in block \d+$/)]);
    expect(crooked.servers.connected()).toEqual(['b:1', 'c:1']);
    const { requests: asked } = crooked.at('a');
    await view();
    expect(crooked.at('a').requests).toBe(asked);
  });
});

describe('of two servers', () => {
  it('one that hides the transaction of a block hides nothing, and one that does not answer leaves everything open', async () => {
    await over('a', 'b');
    crooked.at('a').twist = withHistories(() => []);
    expect((await view()).funding?.confirmations).toBe(2);
    crooked.at('b').up = false;
    crooked.at('b').drop();
    await expect.poll(() => crooked.servers.connected()).toEqual(['a:1']);
    expect(await faultOf()).toBe('unavailable: 1 of the 2 Electrum servers that must agree answered');
    expect((await taker.balances()).ok).toBe(true);
  });

  it('the one that answers is asked for a claim and a refund, and its answer is a fault that carries them', async () => {
    await over('a', 'b');
    const settled = await view();
    crooked.at('b').up = false;
    crooked.at('b').drop();
    await expect.poll(() => crooked.servers.connected()).toEqual(['a:1']);
    const answer = await taker.payment({ terms });
    expect(answer).toMatchObject({ ok: false, fault: { kind: 'unavailable', doubtful: settled } });
    for (const other of [await taker.quote(), await taker.transaction(payment.tx_hash)])
      expect(other).toEqual({
        ok: false,
        fault: { kind: 'unavailable', message: '1 of the 2 Electrum servers that must agree answered' },
      });
    const request = { purpose: 'claim', terms, funding: payment, secret, urgency: 0, replaces: null } as const;
    expect((await taker.prepare(request, SWAP)).ok).toBe(false);
    const claim = await answerOf(taker.prepare({ ...request, doubtful: true }, SWAP));
    // A first claim is not given to one alone: it could keep it, and pass the secret on.
    expect((await taker.broadcast(claim)).ok).toBe(false);
    expect(await answerOf(taker.broadcast(claim, { doubtful: true }))).toBe('sent');
    await chain.mine(1);
    expect((await truth()).spend).toMatchObject({ how: 'secret', secret, confirmations: 1 });
    // What pays is not made, whatever is asked for.
    const pays = { purpose: 'payment', terms: { ...terms, sender: taker.htlcKey(SWAP.swap) }, urgency: 0 } as const;
    expect((await taker.prepare({ ...pays, replaces: null, ...{ doubtful: true } }, SWAP)).ok).toBe(false);
  });

  it('that report different last blocks settle nothing', async () => {
    await over('a', 'b');
    crooked.at('b').twist = async ([method], honest) =>
      method === 'blockchain.headers.subscribe'
        ? { height: server.tip().height, hex: await honest(['blockchain.block.header', server.tip().height - 2]) }
        : undefined;
    expect(await faultOf()).toMatch(/^unavailable: Electrum servers report different blocks/);
  });

  it('of which one lags do not count the blocks that it lacks', async () => {
    await over('a', 'b');
    crooked.at('b').twist = stuckAt(heightOf());
    const { funding, height } = await view();
    expect([funding?.confirmations, height]).toEqual([1, server.tip().height - 1]);
    crooked.at('b').twist = null;
    expect((await view()).funding?.confirmations).toBe(2);
  });

  it('the answer of one is not settled by the other, which returns before the question is answered', async () => {
    await over('a', 'b');
    await view();
    const honest = server.tip();
    crooked.at('b').up = false;
    crooked.at('b').drop();
    await expect.poll(() => crooked.servers.connected()).toEqual(['a:1']);
    let go = (): void => {};
    crooked.at('a').until = new Promise((resolve) => {
      go = resolve;
    });
    crooked.at('a').twist = forgedOnce({ height: honest.height, blocks: 12, seconds: terms.lock + 10_000 });
    const asked = crooked.at('a').requests;
    const first = taker.payment({ terms });
    await expect.poll(() => crooked.at('a').requests, { interval: 2 }).toBe(asked + 1);
    // It waits for a look of its own, which both servers answer before the first question reads on.
    const second = taker.payment({ terms });
    crooked.at('b').up = true;
    await clock.advance(61_000);
    await expect.poll(() => crooked.servers.connected()).toEqual(['a:1', 'b:1']);
    crooked.at('a').until = null;
    go();
    expect(await second).toMatchObject({ ok: true, value: { refundable: false, height: honest.height } });
    expect(await first).toMatchObject({ ok: false, fault: { kind: 'unavailable' } });
    expect(await view()).toMatchObject({ refundable: false, height: honest.height });
  });

  it('one that says a refund is due triggers none', async () => {
    await over('a', 'b');
    const due = stuckAt(server.tip().height);
    crooked.at('a').twist = async (call, honest) => {
      const told = (await due(call, honest)) as { height: number; hex: string } | undefined;
      if (call[0] !== 'blockchain.headers.subscribe' || told === undefined) return undefined;
      const late = Buffer.from(told.hex, 'hex');
      late.writeUInt32LE(terms.lock + 9999, 100);
      return { ...told, height: told.height + 1, hex: late.toString('hex') };
    };
    expect((await view()).refundable).toBe(false);
  });
});

describe('servers that lag, stall and return', () => {
  it('one that lags for a minute is not asked, and the next one of the list is', async () => {
    await over('a', 'b', 'c');
    crooked.at('a').twist = stuckAt(server.tip().height);
    await chain.mine(3);
    await server.look();
    const [height, hex] = [server.tip().height, ''];
    for (const name of ['b', 'c']) crooked.at(name).tell('blockchain.headers.subscribe', [{ height, hex }]);
    // While it is behind, what the others say holds.
    expect((await view()).funding?.confirmations).toBe(5);
    await clock.advance(61_000);
    expect((await view()).funding?.confirmations).toBe(5);
    expect(crooked.servers.connected()).toEqual(['b:1', 'c:1']);
    expect(crooked.alarms).toEqual(['a:1 is 3 blocks behind the other servers']);
  });

  it('a slow one delays nothing', async () => {
    await over('a', 'b', 'c');
    let go = (): void => {};
    crooked.at('a').until = new Promise((resolve) => {
      go = resolve;
    });
    let found: PaymentView | undefined;
    void view().then((value) => {
      found = value;
    });
    const started = clock.now();
    const patience = async (): Promise<PaymentView | undefined> => {
      await clock.advance(20);
      return found;
    };
    await expect.poll(patience, { interval: 2, timeout: 20_000 }).toMatchObject({ funding: { confirmations: 2 } });
    // It costs its time once, and no later question any.
    expect(clock.now() - started).toBeLessThan(4000);
    expect((await view()).funding?.confirmations).toBe(2);
    go();
  });

  it('one that disconnects repeatedly costs no answer, and is left alone', async () => {
    await over('a', 'b', 'c');
    crooked.at('a').twist = () => {
      crooked.at('a').drop();
      return undefined;
    };
    for (let look = 0; look < 40; look++) {
      expect((await view()).funding?.confirmations).toBe(2);
      await clock.advance(30_000);
    }
    const { requests } = crooked.at('a');
    expect(requests).toBeLessThan(20);
    expect(crooked.alarms).toEqual([]);
  });

  it('one that disconnects during a look costs no answer', async () => {
    await over('a', 'b', 'c');
    crooked.at('a').twist = ([method]) => {
      if (method === 'blockchain.scripthash.get_history') crooked.at('a').drop();
      return undefined;
    };
    expect((await view()).funding?.confirmations).toBe(2);
  });

  it('follows a chain that is reorganized, and the proofs with it', async () => {
    await over('a', 'b');
    expect((await view()).funding?.confirmations).toBe(2);
    const [lost] = await chain.client.batch([['getblockhash', server.tip().height - 1]]);
    await chain.client.batch([['invalidateblock', (lost as { readonly result: string }).result]]);
    expect((await view()).funding?.confirmations).toBe(0);
    await chain.mine(3);
    const found = await view();
    expect(found).toEqual(await truth());
    expect(found.funding?.confirmations).toBe(3);
  });
});

it('does not find a claim that the chain has lost, though the nodes of all servers still have its bytes', async () => {
  await over('a', 'b');
  await answerOf(taker.balances());
  const request = { purpose: 'claim', terms, funding: payment, secret, urgency: 0, replaces: null } as const;
  const claim = await answerOf(taker.prepare(request, SWAP));
  await answerOf(taker.broadcast(claim));
  await chain.mine(1);
  expect(await answerOf(taker.transaction(claim.tx_hash))).toMatchObject({ status: 'confirmed' });
  const [lost] = await chain.client.batch([['getblockhash', server.tip().height]]);
  await chain.client.batch([['invalidateblock', (lost as { readonly result: string }).result]]);
  await chain.restart();
  await chain.mine(2);
  // An index of transactions keeps those of blocks that were given up.
  for (const name of ['a', 'b'])
    crooked.at(name).twist = ([method, id]) =>
      method === 'blockchain.transaction.get' && id === claim.tx_hash ? claim.tx_hex : undefined;
  // A server's history may be some seconds behind its node, so that the first answer is none.
  expect((await taker.transaction(claim.tx_hash)).ok).toBe(false);
  expect(await answerOf(taker.transaction(claim.tx_hash))).toEqual({ status: 'unknown', confirmations: 0 });
  expect((await answerOf(taker.payment({ terms }))).spend).toBeNull();
  await answerOf(taker.broadcast(claim));
  await chain.mine(1);
  expect(await answerOf(taker.transaction(claim.tx_hash))).toMatchObject({ status: 'confirmed' });
});

it('a look at a pending payment costs one request to each of two servers, and a proof once', async () => {
  await over('a', 'b', 'c');
  await view();
  const before = requests();
  const proofs = () =>
    crooked.at('a').calls.filter(([method]) => method === 'blockchain.transaction.get_merkle').length;
  const proven = proofs();
  for (let left = 10; left > 0; left--) await view();
  expect([requests() - before, proofs() - proven]).toEqual([20, 0]);
  expect(crooked.at('c').requests).toBe(2);
});
