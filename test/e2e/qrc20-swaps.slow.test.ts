import { afterEach, describe, expect, it } from 'vitest';
import type { SwapRequest } from '../../src/events/journal.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { LITECOIND } from '../support/litecoind.ts';
import { describeWith } from '../support/optional-part.ts';
import { embeddedLeg, evmTokenLeg, type Leg, litecoinLeg } from '../support/qtum/legs.ts';
import { qtumWorld } from '../support/qtum/swap-world.ts';

type World = Awaited<ReturnType<typeof qtumWorld>>;

/** Seconds for which payments are locked where that is waited for. */
const LOCK = 2400;
/** More than all transactions of one swap cost on a chain of outputs, in base units. */
const LITTLE = 100_000n;

const ofMaker = (other: string): Partial<SwapRequest> =>
  ({ maker_coin: 'QTOK', taker_coin: other, maker_amount: '1.250001', taker_amount: '1.5' }) as Partial<SwapRequest>;
const ofTaker = (other: string): Partial<SwapRequest> =>
  ({ maker_coin: other, taker_coin: 'QTOK', maker_amount: '1.5', taker_amount: '2.000007' }) as Partial<SwapRequest>;

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

async function between(leg: (from: number) => Promise<Leg>, request: Partial<SwapRequest>): Promise<World> {
  world = await qtumWorld({ leg, request });
  return world;
}

/** Fees of the coin itself come off; those of tokens do not. */
function expectNear(found: bigint, expected: bigint, little = LITTLE): void {
  expect(found).toBeLessThanOrEqual(expected);
  expect(found).toBeGreaterThan(expected - little);
}

/** The trading fee of so many base units of the taker's coin: one part of 777, rounded as it is paid. */
const feeOf = (units: bigint): bigint => units / 777n;

describeWith(ANVIL, 'swaps of a QRC20 token, judged by the books of both chains', () => {
  describe('against the chain of this package', () => {
    it('the maker gives the token and is killed before it claims: both get what they agreed on', async () => {
      const { until, has, parties, finished, gains, locked } = await between(embeddedLeg, ofMaker('DOC'));
      expect(await until(has('maker', 'TakerPaymentReceived'))).toBe(true);
      parties.maker.die();
      expect(await until(() => false, 5)).toBe(false);
      parties.maker.revive();
      expect(await until(finished)).toBe(true);
      const { tokens, others } = await gains();
      expect(tokens).toEqual([-1_250_001n, 1_250_001n]);
      expectNear(others[0] as bigint, 150_000_000n);
      expectNear(others[1] as bigint, -150_000_000n - feeOf(150_000_000n));
      expect(await locked()).toBe(0n);
    });

    it('the taker gives the token with its fee: both get what they agreed on, to the last base unit of the token', async () => {
      const { until, finished, gains, locked } = await between(embeddedLeg, ofTaker('DOC'));
      expect(await until(finished)).toBe(true);
      const { tokens, others } = await gains();
      expect(tokens[0]).toBe(2_000_007n);
      expectNear(tokens[1] as bigint, -2_000_007n - feeOf(2_000_007n) + 1n, 3n);
      expectNear(others[0] as bigint, -150_000_000n);
      expectNear(others[1] as bigint, 150_000_000n);
      expect(await locked()).toBe(0n);
    });

    it('the maker is gone after the taker paid the token: the taker refunds it, and the maker its coins', async () => {
      const request = { ...ofTaker('DOC'), lock_duration: LOCK };
      const { until, has, parties, finished, gains, locked } = await between(embeddedLeg, request);
      expect(await until(has('maker', 'MakerPaymentSent'))).toBe(true);
      expect(await until(has('taker', 'TakerPaymentSent'))).toBe(true);
      parties.maker.die();
      expect(await until(has('taker', 'TakerPaymentRefunded'))).toBe(true);
      parties.maker.revive();
      expect(await until(finished)).toBe(true);
      const { tokens, others } = await gains();
      expect(tokens[0]).toBe(0n);
      expectNear(tokens[1] as bigint, -feeOf(2_000_007n) + 1n, 3n);
      expectNear(others[0] as bigint, 0n);
      expect(others[1]).toBe(0n);
      expect(await locked()).toBe(0n);
    });

    it('the taker is gone before it paid: the maker refunds the token', async () => {
      const request = { ...ofMaker('DOC'), lock_duration: LOCK };
      const { until, has, parties, gains, locked } = await between(embeddedLeg, request);
      expect(await until(has('taker', 'TakerFeeSent'))).toBe(true);
      parties.taker.die();
      expect(await until(has('maker', 'MakerPaymentRefunded'))).toBe(true);
      expect(await until(has('maker', 'Finished'))).toBe(true);
      const { tokens, others } = await gains();
      expect(tokens).toEqual([0n, 0n]);
      expect(others[0]).toBe(0n);
      expectNear(others[1] as bigint, -feeOf(150_000_000n));
      expect(await locked()).toBe(0n);
    });
  });

  describe('against a token of an EVM chain', () => {
    it('the maker gives it for the other: both get what they agreed on', async () => {
      const { until, finished, gains, locked } = await between(evmTokenLeg, ofMaker('USDX'));
      expect(await until(finished)).toBe(true);
      const { tokens, others } = await gains();
      expect(tokens).toEqual([-1_250_001n, 1_250_001n]);
      expect(others[0]).toBe(1_500_000_000n);
      expectNear(others[1] as bigint, -1_500_000_000n - feeOf(1_500_000_000n) + 1n, 3n);
      expect(await locked()).toBe(0n);
    });

    it('the taker gives it, is killed after it paid, and both get what they agreed on', async () => {
      const { until, has, parties, finished, gains, locked } = await between(evmTokenLeg, ofTaker('USDX'));
      expect(await until(has('taker', 'TakerPaymentSent'))).toBe(true);
      parties.taker.die();
      expect(await until(has('maker', 'TakerPaymentSpent'), 60)).toBe(true);
      parties.taker.revive();
      expect(await until(finished)).toBe(true);
      const { tokens, others } = await gains();
      expect([tokens[0], others]).toEqual([2_000_007n, [-1_500_000_000n, 1_500_000_000n]]);
      expectNear(tokens[1] as bigint, -2_000_007n - feeOf(2_000_007n) + 1n, 3n);
      expect(await locked()).toBe(0n);
    });
  });

  describeWith(LITECOIND, 'against Litecoin Core', () => {
    it('the taker gives it: both get what they agreed on', async () => {
      const { until, finished, gains, locked } = await between(litecoinLeg, ofTaker('LTC'));
      expect(await until(finished)).toBe(true);
      const { tokens, others } = await gains();
      expect(tokens[0]).toBe(2_000_007n);
      expectNear(tokens[1] as bigint, -2_000_007n - feeOf(2_000_007n) + 1n, 3n);
      expectNear(others[0] as bigint, -150_000_000n);
      expectNear(others[1] as bigint, 150_000_000n);
      expect(await locked()).toBe(0n);
    });
  });
});
