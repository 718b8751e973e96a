import { describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { readAppTransaction } from '../../../../src/testing/cometbft/app-transaction.ts';
import { claimCarriedOut, claimOfThreeKeys, idOf } from '../../../support/tendermint/other-claims.ts';
import { TwoWallets } from '../../../support/tendermint/two-wallets.ts';

async function paidWorld() {
  const world = new TwoWallets();
  const { terms, secret } = world.terms('2');
  await world.paid(world.wallet('sender'), terms);
  return { world, claiming: { id: idOf(world.test, terms), secret } };
}

describe('a transaction that more than one key signs, or that carries out other messages', () => {
  it('with a wrong signature, or one for another message, is refused', async () => {
    const { world, claiming } = await paidWorld();
    const { chain } = world.test;
    const sound = claimOfThreeKeys(world.test, claiming);
    const last = sound.slice(0, -2);
    const wrong = last + (sound.endsWith('00') ? '01' : '00');
    const other = sound.replace(bytesToHex(Buffer.from('of three')), bytesToHex(Buffer.from('of seven')));
    for (const hex of [wrong, other]) expect(chain.offer(hexToBytes(hex))).toMatchObject({ code: 4, codespace: 'sdk' });
    expect(readAppTransaction(hexToBytes(`${sound}08`))).toBe(undefined);
    expect(chain.offer(hexToBytes(sound))).toBe(null);
  });

  it('by fewer keys than must is refused', async () => {
    const { world, claiming } = await paidWorld();
    const short = claimOfThreeKeys(world.test, { ...claiming, signing: 1 });
    expect(world.test.chain.offer(hexToBytes(short))).toMatchObject({ code: 4, codespace: 'sdk' });
  });

  it('in the name of somebody who has granted nothing has no effect', async () => {
    const { world, claiming } = await paidWorld();
    const { chain } = world.test;
    const asked = { ...claiming, name: 'stranger', as: world.test.addressOf('receiver') };
    chain.offer(hexToBytes(await claimCarriedOut(world.test, asked)));
    chain.mine();
    expect(chain.tip().transactions[0]?.result).toMatchObject({ code: 2, codespace: 'authz' });
    expect(chain.tip().state.payments.get(claiming.id)?.state).toBe('open');
  });
});
