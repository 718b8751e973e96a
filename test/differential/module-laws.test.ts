import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Answer, Chain, PaymentTerms, PaymentView, PrepareRequest } from '../../src/ports/chain.ts';
import { decimalOf, fromBaseUnits } from '../../src/primitives/decimal.ts';
import { sha256 } from '../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../src/primitives/hex.ts';
import { unixSecondsOf } from '../../src/primitives/time.ts';
import { createAutoRefundChain } from '../../src/sim/chains/account/chain.ts';
import { xorshift32 } from '../../src/sim/xorshift.ts';
import { draws } from '../support/draws.ts';
import { BLOCK_TIME, IRIS, TendermintTestChain, UNIT } from '../support/tendermint/adapter-chain.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const ROLES = ['sender', 'receiver', 'stranger'] as const;
type Role = (typeof ROLES)[number];

type Action =
  /** For how many blocks it is locked, and whether nodes of the framework count them. */
  | {
      readonly do: 'pay';
      readonly amount: number;
      readonly blocks: number;
      readonly counted: boolean;
      readonly by: Role;
    }
  | { readonly do: 'claim'; readonly pick: number }
  | { readonly do: 'mine'; readonly blocks: number };

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    do: fc.constant('pay' as const),
    amount: fc.integer({ min: 1, max: 2_000_000 }),
    blocks: fc.constantFrom(51, 60, 75, 120),
    counted: fc.boolean(),
    by: fc.constantFrom<Role>('sender', 'sender', 'sender', 'stranger'),
  }),
  fc.record({ do: fc.constant('claim' as const), pick: fc.nat(9) }),
  fc.record({ do: fc.constant('mine' as const), blocks: fc.constantFrom(1, 1, 2, 20, 49, 50, 60) }),
);

type Agreed = { readonly secret: string; readonly terms: (side: Sides) => PaymentTerms };
type Sides = { readonly wallets: Readonly<Record<Role, Chain>>; readonly mine: (blocks: number) => void };

function simulated(): Sides {
  let now = 1_700_000_000;
  const chain = createAutoRefundChain({
    ...{ coin: 'NYAN', fidelity: 'real', decimals: 6, blockTime: BLOCK_TIME, finality: 1 },
    ...{ now: () => unixSecondsOf(now), rng: xorshift32(1) },
  });
  const wallet = (party: Role) => chain.wallet({ party, funds: decimalOf('50') });
  const mine = (blocks: number): void => {
    for (let left = blocks; left > 0; left -= 1) {
      now += BLOCK_TIME;
      chain.mine();
    }
  };
  mine(1);
  return { wallets: { sender: wallet('sender'), receiver: wallet('receiver'), stranger: wallet('stranger') }, mine };
}

function real(): Sides {
  const test = new TendermintTestChain(IRIS);
  for (const name of ROLES) test.give(name, 50n * UNIT);
  const clock = virtualClock(test.now * 1000);
  const wallet = (name: Role) => test.wallet(name, clock);
  const wallets = { sender: wallet('sender'), receiver: wallet('receiver'), stranger: wallet('stranger') };
  return { wallets, mine: (blocks) => test.chain.mine(blocks) };
}

/** What a payment is like, as far as it does not depend on how the two chains began. */
function shapeOf({ funding, problem, spend, refundable, expiry }: PaymentView) {
  return {
    ...{ confirmations: funding?.confirmations ?? null, isSound: problem === null, refundable },
    spend: spend === null ? null : [spend.how, spend.confirmations, spend.secret],
    left: expiry?.unit === 'blocks' ? expiry.at - expiry.now : null,
  };
}

const wordOf = <T>(answer: Answer<T>): string => (answer.ok ? 'ok' : answer.fault.kind);

/** Signs and sends; what comes of both, in the words of the port. */
async function done(wallet: Chain, request: PrepareRequest): Promise<readonly string[]> {
  const prepared = await wallet.prepare(request, { swap: 'a swap' });
  if (!prepared.ok) return [wordOf(prepared)];
  const { tx_hex, tx_hash } = prepared.value;
  return ['ok', wordOf(await wallet.broadcast({ tx_hex, tx_hash }))];
}

it('the simulated module and that of a Tendermint chain hold, pay out and refund payments alike, block by block', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 14 }), async (actions) => {
      const sides = { simulated: simulated(), real: real() };
      const agreed: Agreed[] = [];
      const both = async <T>(ask: (side: Sides) => Promise<T>): Promise<void> => {
        expect(await ask(sides.simulated)).toEqual(await ask(sides.real));
      };
      for (const each of actions) {
        if (each.do === 'mine') for (const side of Object.values(sides)) side.mine(each.blocks);
        else if (each.do === 'pay') {
          const secret = bytesToHex(sha256(new TextEncoder().encode(`secret ${agreed.length}`)));
          agreed.push({ secret, terms: termsFor(each, secret, await clocks(sides)) });
          const { terms } = agreed.at(-1) as Agreed;
          await both((side) =>
            done(side.wallets[each.by], { purpose: 'payment', terms: terms(side), urgency: 0, replaces: null }),
          );
        } else if (agreed.length > 0) {
          const { terms, secret } = agreed[each.pick % agreed.length] as Agreed;
          const claimed = (side: Sides) =>
            done(side.wallets.receiver, {
              ...{ purpose: 'claim', terms: terms(side), secret, urgency: 0, replaces: null },
              funding: { tx_hex: '', tx_hash: '' },
            });
          const found = await claimed(sides.real);
          // The adapter makes no claim that the module would refuse now, which the wallet of the simulated chain does.
          if (found[0] === 'ok') expect(await claimed(sides.simulated)).toEqual(found);
        }
        for (const { terms } of agreed)
          await both(async (side) => {
            const answer = await side.wallets.stranger.payment({ terms: terms(side) });
            return answer.ok ? shapeOf(answer.value) : answer.fault.kind;
          });
      }
    }),
    { numRuns: draws({ sample: 8, change: 25 }) },
  );
});

type Clocks = ReadonlyMap<Sides, number>;

async function clocks(sides: Readonly<Record<string, Sides>>): Promise<Clocks> {
  const found = new Map<Sides, number>();
  for (const side of Object.values(sides)) {
    const quote = await side.wallets.stranger.quote();
    if (quote.ok) found.set(side, quote.value.clock);
  }
  return found;
}

function termsFor({ amount, blocks, counted }: Extract<Action, { do: 'pay' }>, secret: string, at: Clocks) {
  return (side: Sides): PaymentTerms => ({
    // The agreed moment is another one than the count of the framework comes to.
    lock: unixSecondsOf((at.get(side) ?? 0) + (blocks + (counted ? 7 : 0)) * BLOCK_TIME),
    secretHash: bytesToHex(sha256(hexToBytes(secret))),
    sender: side.wallets.sender.htlcKey(''),
    receiver: side.wallets.receiver.htlcKey(''),
    amount: decimalOf(fromBaseUnits(BigInt(amount), 6)),
    contract: null,
    ...(counted ? { counted: { duration: blocks * BLOCK_TIME, leg: 'taker' as const } } : {}),
  });
}
