import { base64 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { Disagreement, TooFew } from '../../../../src/chains/accounts/silence.ts';
import { createTendermintQuorumReader } from '../../../../src/chains/tendermint/quorum-reader.ts';
import { messageField } from '../../../../src/htlc/protobuf.ts';
import { encodeCoin } from '../../../../src/htlc/tendermint-messages.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import type { NodeConduct } from '../../../../src/testing/cometbft/node.ts';
import type { Json } from '../../../../src/testing/cometbft/render.ts';
import { IRIS, UNIT } from '../../../support/tendermint/adapter-chain.ts';
import { goodOf, kindOf, SWAP, TwoWallets } from '../../../support/tendermint/two-wallets.ts';

const NOTHING = base64.encode(messageField(1, encodeCoin({ denom: IRIS.denom, amount: 0n })));

/** Whoever asks it is told that accounts have nothing. */
const POOR: NodeConduct = {
  alter: (answer, _, { path }) =>
    path === '/cosmos.bank.v1beta1.Query/Balance'
      ? { response: { ...(answer['response'] as Json), value: NOTHING } }
      : answer,
};
/** A node that has stopped, and says so of every block. */
const HALTED: NodeConduct = { shows: () => 3001 };

function worldOf(...conducts: readonly NodeConduct[]) {
  const world = new TwoWallets();
  world.mine(20);
  const silent = new Set<number>();
  const readers = conducts.map((conduct, place) =>
    world.test.reader(conduct, async () => {
      if (silent.has(place)) throw new BackendSilent('the connection was refused');
    }),
  );
  const reader = createTendermintQuorumReader({ readers, clock: world.clock });
  return { world, reader, silent, wallet: world.wallet('sender', { reader }) };
}

describe('several nodes, two of which must agree', () => {
  it('one that lies is outvoted, and ignored for a while', async () => {
    for (const conducts of [
      [POOR, {}, {}],
      [{}, POOR, {}],
      [{}, {}, POOR],
    ]) {
      const { wallet } = worldOf(...conducts);
      expect((await goodOf(wallet.quote())).spendable).toBe('50');
    }
  });

  it('two that contradict each other say nothing', async () => {
    const { wallet, reader, world } = worldOf({}, POOR);
    expect(await kindOf(wallet.quote())).toBe('disagreement');
    const look = await reader.look();
    await expect(look.balance({ address: world.test.addressOf('sender'), denom: IRIS.denom })).rejects.toThrow(
      Disagreement,
    );
  });

  it('one that is stuck is not asked about what came since', async () => {
    const { wallet, world } = worldOf(HALTED, {}, {});
    expect((await goodOf(wallet.quote())).height).toBe(world.test.height);
  });

  it('two that answer from the past do not take back what was seen, for a while', async () => {
    const { reader, silent, world } = worldOf({}, {}, HALTED, HALTED);
    expect((await reader.look()).head.height).toBe(world.test.height);
    silent.add(0);
    await expect(reader.look()).rejects.toThrow('in the past');
    await world.clock.advance(120_000);
    expect((await reader.look()).head.height).toBe(3001);
  });

  it('a single voice moves nothing, and may be looked at', async () => {
    const { wallet, reader, silent, world } = worldOf({}, {}, {});
    silent.add(0).add(1);
    await expect(reader.look()).rejects.toThrow(TooFew);
    expect((await reader.look(true)).settled).toBe(false);
    expect((await goodOf(wallet.balances())).spendable).toBe('50');
    const { terms } = world.terms('1');
    expect(await kindOf(wallet.prepare({ purpose: 'payment', terms, urgency: 0, replaces: null }, SWAP))).toBe(
      'unavailable',
    );
  });

  it('a node of another chain counts for none', async () => {
    const { wallet } = worldOf({ chainId: 'irishub-1' }, {});
    expect(await kindOf(wallet.quote())).toBe('unavailable');
  });

  it('what one of them accepts is accepted, whatever the others say', async () => {
    const { world, silent, wallet } = worldOf({}, {}, {});
    const fee = await world.fee(wallet);
    silent.add(2);
    expect(await goodOf(wallet.broadcast(fee))).toBe('sent');
    world.mine();
    expect((await goodOf(wallet.transaction(fee.tx_hash))).status).toBe('confirmed');
    expect(world.test.balance('sender')).toBeLessThan(50n * UNIT);
  });

  it('nobody agrees with fewer nodes than necessary', () => {
    const { world } = worldOf({});
    const readers = [world.test.reader()];
    expect(() => createTendermintQuorumReader({ readers, clock: world.clock, quorum: 2 })).toThrow(RangeError);
    expect(() => createTendermintQuorumReader({ readers: [], clock: world.clock })).toThrow(RangeError);
  });
});
