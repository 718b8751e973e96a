import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyText, type Offer, offerText, readOffer } from '../../../../src/node/orders/offer.ts';
import { OrderRefusal } from '../../../../src/node/orders/refusal.ts';
import type { Signer } from '../../../../src/ports/signer.ts';
import { fractionOf } from '../../../../src/primitives/fraction.ts';
import { millisOf } from '../../../../src/primitives/time.ts';

function signer(fill: number): Signer {
  const secret = new Uint8Array(32).fill(fill);
  const options = { prehash: false, lowS: true, format: 'der' } as const;
  return { key: secp256k1.getPublicKey(secret, true), sign: (hash) => secp256k1.sign(hash, secret, options) };
}

const MAKER = signer(7);
const OFFER: Offer = {
  uuid: '11111111-1111-4111-8111-111111111111',
  maker: keyText(MAKER),
  base: 'DOC',
  rel: 'MARTY',
  base_amount: fractionOf(3n, 7n),
  rel_amount: fractionOf(11n),
  conf_settings: { base_confs: 4, base_nota: false, rel_confs: 1, rel_nota: true },
  expires_at: millisOf(1_800_000_000_000),
  taker: 'ab'.repeat(32),
};

describe('an offer that is handed over as one text', () => {
  it('is read as it was written', async () => {
    expect(readOffer(await offerText(OFFER, MAKER))).toEqual(OFFER);
    const open = { ...OFFER, taker: null };
    expect(readOffer(` ${await offerText(open, MAKER)}\n`)).toEqual(open);
  });

  it('is refused with another maker’s signature', async () => {
    const text = await offerText(OFFER, signer(8));
    expect(() => readOffer(text)).toThrow("its signature is not its maker's");
  });

  it('is refused with any other character anywhere', async () => {
    const text = await offerText(OFFER, MAKER);
    const alphabet = 'ABCxyz019-_.';
    const changes = fc.tuple(fc.integer({ min: 0, max: text.length - 1 }), fc.constantFrom(...alphabet));
    fc.assert(
      fc.property(changes, ([place, character]) => {
        fc.pre(text[place] !== character);
        const changed = text.slice(0, place) + character + text.slice(place + 1);
        expect(() => readOffer(changed)).toThrow(OrderRefusal);
      }),
    );
  });

  it('is refused with a reason, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `swapfold-offer-1.${text}`),
        ),
        (text) => {
          expect(() => readOffer(text)).toThrow(OrderRefusal);
        },
      ),
    );
    expect(() => readOffer('x'.repeat(5000))).toThrow('longer than 4096');
  });
});
