import fc from 'fast-check';
import { hash160 } from '../../src/primitives/hash.ts';
import { encodeAddress } from '../../src/smartchain/encoding/address.ts';
import { signMessage } from '../../src/smartchain/keys/message.ts';
import { publicKeyOf } from '../../src/smartchain/keys/secp256k1.ts';
import { secretKeyOfSeed } from '../../src/smartchain/keys/seed.ts';
import type { Prefixes } from '../../src/smartchain/params.ts';
import { LITECOIN_MAGIC, LITECOIN_REGTEST } from './funded-chain.ts';

/** Litecoin still reads addresses of scripts with the prefix of Bitcoin's test networks, and writes those with its own. */
export const FORMER: Prefixes = { ...LITECOIN_REGTEST, script: 196 };

const hash = fc.uint8Array({ minLength: 20, maxLength: 20 });
const kind = fc.constantFrom('key' as const, 'script' as const);
const BASE58 = [...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0OIl'];

/** Addresses as they are written, and with something done to their text. */
export const addressText = fc
  .record({
    kind,
    hash,
    former: fc.boolean(),
    edit: fc.constantFrom('none', 'none', 'letter', 'cut', 'more', 'space', 'bytes'),
    at: fc.nat(40),
    letter: fc.constantFrom(...BASE58),
  })
  .map((drawn) => {
    const text = encodeAddress(drawn, drawn.former ? FORMER : LITECOIN_REGTEST);
    switch (drawn.edit) {
      case 'letter':
        return text.slice(0, drawn.at % text.length) + drawn.letter + text.slice((drawn.at % text.length) + 1);
      case 'cut':
        return text.slice(0, drawn.at % text.length);
      case 'more':
        return text + drawn.letter;
      case 'space':
        return `${' '.repeat(drawn.at % 3)}${text}${' \t\n'.slice(0, drawn.at % 4)}`;
      case 'bytes':
        return encodeAddress(drawn, { ...LITECOIN_REGTEST, key: drawn.at, script: drawn.at + 100 });
      default:
        return text;
    }
  });

export const messageCase = fc.record({
  secretKey: fc.string().map(secretKeyOfSeed),
  compressed: fc.boolean(),
  message: fc.oneof(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.string({ maxLength: 300 })),
});

/** Signatures with something done to them, and addresses of others. */
export const signedCase = fc
  .record({
    signer: messageCase,
    edit: fc.constantFrom(
      'none',
      'none',
      'bit',
      'header',
      'cut',
      'letter',
      'other message',
      'other key',
      'script',
      'no address',
    ),
    at: fc.nat(0xffff),
  })
  .map(({ signer, edit, at }) => {
    const { secretKey, compressed, message } = signer;
    const signature = Buffer.from(signMessage({ ...signer, magic: LITECOIN_MAGIC }), 'base64');
    if (edit === 'bit') signature[at % 65] = (signature[at % 65] as number) ^ (1 << ((at >> 8) % 8));
    if (edit === 'header') signature[0] = at & 0xff;
    const text = (edit === 'cut' ? signature.subarray(0, at % 65) : signature).toString('base64');
    const owner = hash160(publicKeyOf(edit === 'other key' ? secretKeyOfSeed('other') : secretKey, compressed));
    const address = encodeAddress({ kind: edit === 'script' ? 'script' : 'key', hash: owner }, LITECOIN_REGTEST);
    const letter = '=+/A _'[at % 6] as string;
    return {
      address: edit === 'no address' ? address.slice(1) : address,
      signature:
        edit === 'letter' ? text.slice(0, at % text.length) + letter + text.slice((at % text.length) + 1) : text,
      message: edit === 'other message' ? `${message}.` : message,
    };
  });
