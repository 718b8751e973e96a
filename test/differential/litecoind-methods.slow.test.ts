import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hash160 } from '../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../src/primitives/hex.ts';
import { addressScript, decodeAddress, encodeAddress } from '../../src/smartchain/encoding/address.ts';
import { encodeWif } from '../../src/smartchain/encoding/wif.ts';
import { signMessage, verifyMessage } from '../../src/smartchain/keys/message.ts';
import { multisigScript } from '../../src/smartchain/keys/multisig.ts';
import { publicKeyOf } from '../../src/smartchain/keys/secp256k1.ts';
import { secretKeyOfSeed } from '../../src/smartchain/keys/seed.ts';
import type { Prefixes } from '../../src/smartchain/params.ts';
import { scriptAsm } from '../../src/smartchain/script/asm.ts';
import { classifyScript } from '../../src/smartchain/script/classify.ts';
import { decodeTransaction } from '../../src/smartchain/transaction/decode.ts';
import { transactionIdOf } from '../../src/smartchain/transaction/encode.ts';
import { type Answer, type Call, LITECOIND, type Litecoind, startLitecoind } from '../support/litecoind.ts';
import { describeWith } from '../support/optional-part.ts';
import { recipes } from './arbitraries.ts';
import { LITECOIN_MAGIC, LITECOIN_REGTEST } from './funded-chain.ts';
import { isWitnessProgram, keyAt, outputOf, spendOf } from './recipes.ts';

const SEED = Number(process.env['SWAPFOLD_SEED'] ?? 1);
/** Litecoin still reads addresses of scripts with the prefix of Bitcoin's test networks, and writes those with its own. */
const FORMER: Prefixes = { ...LITECOIN_REGTEST, script: 196 };

function draw<Value>(arbitrary: fc.Arbitrary<Value>, numRuns: number): Value[] {
  return fc.sample(arbitrary, { numRuns, seed: SEED });
}

describeWith(LITECOIND, 'methods that Litecoin Core shares', () => {
  let node: Litecoind;

  beforeAll(async () => {
    node = await startLitecoind();
  }, 60_000);
  afterAll(() => node?.stop());

  async function answersTo<Value>(values: readonly Value[], callOf: (value: Value) => Call) {
    const answers = await node.batch(values.map(callOf));
    return values.map((value, index) => ({ value, answer: answers[index] as Answer }));
  }

  it('validateaddress: the same texts are addresses, of the same scripts', async () => {
    const { read, written } = await addressesCompared(answersTo);
    expect(read.differing).toEqual([]);
    expect(written).toEqual([]);
    expect(read.valid).toBeGreaterThan(500);
    expect(read.invalid).toBeGreaterThan(500);
  });

  it('createmultisig: the same keys give the same script and address, or are refused', async () => {
    const key = fc.oneof(
      {
        weight: 12,
        arbitrary: fc.record({ at: fc.nat(5), form: fc.constantFrom('compressed' as const, 'long' as const) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ at: fc.nat(5), form: fc.constantFrom('hybrid' as const, 'headless' as const) }),
      },
    );
    const texts = fc.oneof(
      { weight: 20, arbitrary: key.map(({ at, form }) => bytesToHex(keyAt(at, form))) },
      { weight: 1, arbitrary: fc.constantFrom('', '02', 'zz', `02${'f'.repeat(64)}`, `03${'0'.repeat(64)}`) },
    );
    const cases = draw(
      fc.record({ required: fc.integer({ min: -1, max: 17 }), keys: fc.array(texts, { maxLength: 17 }) }),
      800,
    );
    const few = draw(
      fc.record({ required: fc.integer({ min: 1, max: 3 }), keys: fc.array(texts, { minLength: 3, maxLength: 8 }) }),
      700,
    );
    const answers = await answersTo([...cases, ...few], ({ required, keys }) => [
      'createmultisig',
      required,
      keys,
      'legacy',
    ]);
    const compared = answers.map(({ value, answer }) => ({
      value,
      ours: multisigOf(value),
      theirs: multisigAnswer(answer),
    }));
    expect(compared.filter(({ ours, theirs }) => ours !== theirs)).toEqual([]);
    expect(compared.filter(({ theirs }) => theirs !== 'refused').length).toBeGreaterThan(100);
    expect(compared.filter(({ theirs }) => theirs === 'refused').length).toBeGreaterThan(100);
  });

  it('signmessage: the same signature of every message', async () => {
    const messages = draw(messageCase, 500);
    const answers = await answersTo(messages, (each) => [
      'signmessagewithprivkey',
      encodeWif(each, LITECOIN_REGTEST),
      each.message,
    ]);
    for (const { value, answer } of answers)
      expect({ result: signMessage({ ...value, magic: LITECOIN_MAGIC }) }).toEqual(answer);
  });

  it('verifymessage: the same verdict on good signatures, damaged ones and other texts', async () => {
    const cases = draw(signedCase, 2000);
    const answers = await answersTo(cases, ({ address, signature, message }) => [
      'verifymessage',
      address,
      signature,
      message,
    ]);
    const compared = answers.map(({ value, answer }) => ({
      value,
      ours: verifyMessage({ ...value, prefixes: LITECOIN_REGTEST, magic: LITECOIN_MAGIC }),
      theirs: verifyAnswer(answer),
    }));
    expect(compared.filter(({ ours, theirs }) => ours !== theirs)).toEqual([]);
    expect(new Set(compared.map(({ theirs }) => theirs))).toEqual(
      new Set(['true', 'false', 'malformed', 'addressInvalid', 'addressNotKey']),
    );
  });

  it('decoderawtransaction: the same ids, texts of scripts, types and counts of signatures', async () => {
    const drawn = draw(recipes([1000]), 3000).filter(({ spoil }) => spoil === undefined);
    const raws = drawn.map((recipe) => {
      const outputs = [
        ...(recipe.outputs ?? []),
        { value: 1n, script: recipe.lock },
        { value: 2n, script: outputOf(recipe) },
      ];
      return spendOf({ ...recipe, outputs }, { txid: 'ab'.repeat(32), vout: 3 });
    });
    const answers = await answersTo(raws, (raw) => ['decoderawtransaction', bytesToHex(raw)]);
    let scripts = 0;
    for (const { value, answer } of answers) {
      if ('error' in answer) throw new Error(`${answer.error.message}: ${bytesToHex(value)}`);
      const { ours, theirs } = decodedBoth(value, answer.result as Decoded);
      scripts += theirs.vout.length + theirs.vin.length;
      expect(ours).toEqual(theirs);
    }
    expect(scripts).toBeGreaterThan(8000);
  });
});

type Asked = <Value>(
  values: readonly Value[],
  callOf: (value: Value) => Call,
) => Promise<readonly { readonly value: Value; readonly answer: Answer }[]>;

const hash = fc.uint8Array({ minLength: 20, maxLength: 20 });
const kind = fc.constantFrom('key' as const, 'script' as const);
const BASE58 = [...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0OIl'];

/** Addresses as they are written, and with something done to their text. */
const addressText = fc
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

async function addressesCompared(answersTo: Asked) {
  const differing: unknown[] = [];
  const written: unknown[] = [];
  let valid = 0;
  const texts = draw(addressText, 3000);
  for (const { value, answer } of await answersTo(texts, (text) => ['validateaddress', text])) {
    const theirs = (
      answer as { result: { isvalid: boolean; address?: string; scriptPubKey?: string; isscript?: boolean } }
    ).result;
    const address = decodeAddress(value, LITECOIN_REGTEST) ?? decodeAddress(value, FORMER);
    if (theirs.isvalid) valid++;
    if (theirs.isvalid !== (address !== undefined)) differing.push({ value, theirs });
    if (address === undefined || !theirs.isvalid) continue;
    const ours = {
      address: encodeAddress(address, LITECOIN_REGTEST),
      scriptPubKey: bytesToHex(addressScript(address)),
      isscript: address.kind === 'script',
    };
    const { address: text, scriptPubKey, isscript } = theirs;
    if (JSON.stringify(ours) !== JSON.stringify({ address: text, scriptPubKey, isscript }))
      written.push({ value, ours, theirs });
  }
  return { read: { differing, valid, invalid: texts.length - valid }, written };
}

type MultisigCase = { readonly required: number; readonly keys: readonly string[] };

function multisigOf({ required, keys }: MultisigCase): string {
  const built = multisigScript(required, keys, { prefixes: LITECOIN_REGTEST, keyOfAddress: () => undefined });
  if ('error' in built) return 'refused';
  return `${encodeAddress({ kind: 'script', hash: hash160(built.script) }, LITECOIN_REGTEST)} ${bytesToHex(built.script)}`;
}

function multisigAnswer(answer: Answer): string {
  if ('error' in answer) return 'refused';
  const { address, redeemScript } = answer.result as { address: string; redeemScript: string };
  return `${address} ${redeemScript}`;
}

const messageCase = fc.record({
  secretKey: fc.string().map(secretKeyOfSeed),
  compressed: fc.boolean(),
  message: fc.oneof(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.string({ maxLength: 300 })),
});

/** Signatures with something done to them, and addresses of others. */
const signedCase = fc
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

/** Litecoin Core has the node's refusals under other codes. */
const VERIFY_TEXTS: Readonly<Record<string, string>> = {
  'Malformed base64 encoding': 'malformed',
  'Invalid address': 'addressInvalid',
  'Address does not refer to key': 'addressNotKey',
};

function verifyAnswer(answer: Answer): string {
  return 'error' in answer ? (VERIFY_TEXTS[answer.error.message] ?? answer.error.message) : String(answer.result);
}

type DecodedScript = { readonly asm: string; readonly hex: string; readonly type?: string; readonly reqSigs?: number };

type Decoded = {
  readonly txid: string;
  readonly version: number;
  readonly locktime: number;
  readonly vin: readonly {
    readonly txid: string;
    readonly vout: number;
    readonly scriptSig: DecodedScript;
    readonly sequence: number;
  }[];
  readonly vout: readonly { readonly value: unknown; readonly scriptPubKey: DecodedScript }[];
};

/** Operations that only one of both knows, and the name that the smart chain has for what Litecoin calls otherwise. */
const OPERATION_NAMES: Readonly<Record<string, string>> = {
  OP_CHECKLOCKTIMEVERIFY: 'OP_NOP2',
  OP_CHECKSEQUENCEVERIFY: 'OP_NOP3',
  OP_CHECKSIGADD: 'OP_UNKNOWN',
  OP_CHECKCRYPTOCONDITION: 'OP_UNKNOWN',
  OP_CHECKCRYPTOCONDITIONVERIFY: 'OP_UNKNOWN',
};

const sameNames = (asm: string) =>
  asm
    .split(' ')
    .map((word) => OPERATION_NAMES[word] ?? word)
    .join(' ');

/** What both make of a transaction, without the parts that only one of them has. */
function decodedBoth(raw: Uint8Array, decoded: Decoded) {
  const transaction = decodeTransaction(raw)?.transaction;
  if (transaction === undefined) throw new Error(`not read: ${bytesToHex(raw)}`);
  const ours = {
    txid: transactionIdOf(raw),
    version: transaction.version,
    locktime: transaction.lockTime,
    vin: transaction.inputs.map(({ txid, vout, scriptSig, sequence }) => ({
      ...{ txid, vout, sequence },
      scriptSig: { asm: sameNames(scriptAsm(scriptSig, { signatureHashTypes: true })), hex: bytesToHex(scriptSig) },
    })),
    vout: transaction.outputs.map(({ script }) => ({
      asm: sameNames(scriptAsm(script)),
      ...typeOf(script),
      hex: bytesToHex(script),
    })),
  };
  const { txid, version, locktime, vin, vout } = decoded;
  const theirs = {
    ...{ txid, version, locktime },
    vin: vin.map(({ txid: spent, vout: index, sequence, scriptSig }) => ({
      ...{ txid: spent, vout: index, sequence },
      scriptSig: { ...scriptSig, asm: sameNames(scriptSig.asm) },
    })),
    vout: vout.map(({ scriptPubKey: { asm, hex, type, reqSigs } }) => {
      const known = seenOtherwise(hexToBytes(hex)) ? {} : { type, reqSigs };
      return { asm: sameNames(asm), ...known, hex };
    }),
  };
  return { ours, theirs };
}

/** The smart chain sees through a lock time in front of a script; Litecoin sees witness programs, and no conditions. */
function seenOtherwise(script: Uint8Array): boolean {
  const { stripped, type } = classifyScript(script);
  return stripped !== undefined || type === 'cryptocondition' || isWitnessProgram(script);
}

function typeOf(script: Uint8Array) {
  const { type, reqSigs } = classifyScript(script);
  // Litecoin tells no count of signatures for a bare key.
  return seenOtherwise(script) ? {} : { type, reqSigs: type === 'pubkey' ? undefined : reqSigs };
}
