import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/ports/clock.ts';
import { type Millis, millisOf } from '../../../src/primitives/time.ts';
import type { RuntimeChain } from '../../../src/runtime/index.ts';
import { createPair, type Pair, requestOf, type Side, UUID } from '../../support/swap-pair.ts';

const SIDES = ['maker', 'taker'] as const;
const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** A host whose clock is so far ahead of the true one; its timers run on, and it may tell what time has passed. */
function hostOf(clock: Clock, host: { ahead: number }, tellsElapsed: boolean): Clock {
  return {
    now: () => millisOf(clock.now() + host.ahead),
    wakeAt: (at, wake) => clock.wakeAt((at - host.ahead) as Millis, wake),
    ...(tellsElapsed ? { elapsed: () => clock.now() - 1_699_999_999_000.25 } : {}),
  };
}

/** Two nodes whose chains tell of nothing, and which the test asks to set their clocks. */
function setUp(tellsElapsed: boolean, silent: (coin: string) => boolean = () => false) {
  const hosts = { maker: { ahead: 0 }, taker: { ahead: 0 } };
  const pair = createPair({
    options: (side, { chains, clock }) => ({
      clock: hostOf(clock, hosts[side], tellsElapsed),
      chains: chains.map((chain): RuntimeChain => {
        const fault = { kind: 'unavailable', message: 'the node is down' } as const;
        return {
          ...chain,
          subscribe: () => ({ close: () => {} }),
          payment: (query) => (silent(chain.traits.coin) ? { ok: false, fault } : chain.payment(query)),
        };
      }),
    }),
  });
  return { pair, hosts };
}

const stateOf = async ({ nodes }: Pair, side: Side) => (await nodes[side].runtime.status(UUID))?.state ?? 'none';
const mine = ({ chains }: Pair) => {
  for (const coin of ['DOC', 'MARTY'] as const) chains[coin].mine();
};

/** As many blocks as make the maker's payment as deep as the order asks for. */
const confirm = (pair: Pair) => {
  for (let block = 0; block < requestOf('taker').maker_payment_confirmations; block += 1) mine(pair);
};

/** Both clocks are set back by six hours while the taker waits for the maker's payment to confirm. */
async function setBack(tellsElapsed: boolean, silent?: (coin: string) => boolean) {
  const { pair, hosts } = setUp(tellsElapsed, silent);
  for (const side of SIDES) await pair.nodes[side].runtime.startSwap(requestOf(side));
  for (let second = 0; (await stateOf(pair, 'taker')) !== 'confirmingMakerPayment'; second += 1) {
    if (second > 300) throw new Error('the taker never waited');
    await pair.clock.advance(SECOND);
  }
  for (const side of SIDES) hosts[side].ahead = -6 * HOUR;
  return { pair, hosts };
}

describe('a host whose clock is set back by six hours, and whose chains send no news', () => {
  it('continues within a poll if it knows how much time has passed', async () => {
    const { pair } = await setBack(true);
    confirm(pair);
    await pair.clock.advance(16 * SECOND);
    expect(await stateOf(pair, 'taker')).toBe('waitingForSpend');
    const done = () => SIDES.every((side) => pair.types(side).includes('Finished'));
    expect(await pair.until(done, 15)).toBe(true);
    for (const side of SIDES) {
      expect(await pair.nodes[side].runtime.status(UUID)).toMatchObject({ outcome: 'completed' });
      const at = (pair.nodes[side].log.read(`${side}-swap/${UUID}`) as readonly { readonly at: number }[]).map(
        (record) => record.at,
      );
      expect(at).toEqual(at.toSorted((left, right) => left - right));
    }
  });

  it('stands still if it knows only what its clock shows', async () => {
    const { pair } = await setBack(false);
    confirm(pair);
    await pair.clock.advance(600 * SECOND);
    expect(await stateOf(pair, 'taker')).toBe('confirmingMakerPayment');
  });

  it('asks again after the pause of a fault', async () => {
    let down = false;
    const { pair } = await setBack(true, (coin) => coin === 'DOC' && down);
    down = true;
    await pair.clock.advance(100 * SECOND);
    down = false;
    confirm(pair);
    // The pauses after faults have grown to 80 s.
    await pair.clock.advance(161 * SECOND);
    expect(await stateOf(pair, 'taker')).not.toBe('confirmingMakerPayment');
  });

  it('gives a swap that begins afterwards the clock as it is set', async () => {
    const { pair, hosts } = setUp(true);
    for (const side of SIDES) hosts[side].ahead = 6 * HOUR;
    await pair.clock.advance(5 * SECOND);
    const before = '3447b727-fe93-4357-8e5a-000000000001';
    for (const side of SIDES) await pair.nodes[side].runtime.startSwap(requestOf(side, { uuid: before }));
    await pair.clock.advance(5 * SECOND);
    for (const side of SIDES) hosts[side].ahead = 0;
    await pair.clock.advance(5 * SECOND);
    for (const side of SIDES) await pair.nodes[side].runtime.startSwap(requestOf(side));
    expect(await pair.until(() => SIDES.every((side) => pair.types(side).includes('Finished')), 60)).toBe(true);
    for (const side of SIDES) {
      expect(await pair.nodes[side].runtime.status(UUID)).toMatchObject({ outcome: 'completed' });
      const [first] = pair.nodes[side].log.read(`${side}-swap/${UUID}`) as readonly { readonly at: number }[];
      expect(Math.abs((first?.at ?? 0) - 1_700_000_015_000)).toBeLessThan(60 * SECOND);
    }
  });

  it('replaces a claim that no miner includes as soon as ever, although the log has timestamps hours ahead', async () => {
    const { pair, hosts } = setUp(true);
    for (const side of SIDES) hosts[side].ahead = 6 * HOUR;
    for (const side of SIDES) await pair.nodes[side].runtime.startSwap(requestOf(side));
    const claims = () => {
      const records = pair.nodes.maker.log.read(`maker-swap/${UUID}`) as readonly { type: string; data: unknown }[];
      return records.filter(({ type, data }) => {
        return type === 'TransactionPrepared' && (data as { readonly purpose: string }).purpose === 'claim';
      });
    };
    for (let second = 1; !pair.types('maker').includes('TakerPaymentSpent'); second += 1) {
      if (second > 3600) throw new Error('the maker never claimed');
      await pair.clock.advance(SECOND);
      if (second % 60 === 0) mine(pair);
    }
    expect(claims()).toHaveLength(1);
    pair.chains.MARTY.sim?.setFaults([{ kind: 'feeSpike', factor: 4, from: 0 as never, until: 4e9 as never }]);
    hosts.maker.ahead = 0;
    pair.restart('maker');
    await pair.nodes.maker.runtime.resumeAll();
    // Ten minutes are what a claim is given, and another is how far the blocks stand apart here.
    await pair.minutes(12);
    expect(claims().length).toBeGreaterThan(1);
    expect(await pair.until(() => pair.types('maker').includes('Finished'), 30)).toBe(true);
    expect(await pair.nodes.maker.runtime.status(UUID)).toMatchObject({ outcome: 'completed' });
  });
});
