import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hash160 } from '../../src/primitives/hash.ts';
import { bytesToHex } from '../../src/primitives/hex.ts';
import { addressScript, decodeAddress, encodeAddress } from '../../src/smartchain/encoding/address.ts';
import { signMessage, verifyMessage } from '../../src/smartchain/keys/message.ts';
import { multisigScript } from '../../src/smartchain/keys/multisig.ts';
import { encodeWif } from '../../src/smartchain/keys/wif.ts';
import { type Answer, type Call, LITECOIND, type Litecoind, startLitecoind } from '../support/litecoind.ts';
import { describeWith } from '../support/optional-part.ts';
import { addressText, FORMER, messageCase, signedCase } from './address-cases.ts';
import { recipes } from './arbitraries.ts';
import { type Decoded, decodedBoth } from './decoded.ts';
import { LITECOIN_MAGIC, LITECOIN_REGTEST } from './funded-chain.ts';
import { keyAt, outputOf, spendOf } from './recipes.ts';

const SEED = Number(process.env['SWAPFOLD_SEED'] ?? 1);
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

/** Litecoin Core has the node's refusals under other codes. */
const VERIFY_TEXTS: Readonly<Record<string, string>> = {
  'Malformed base64 encoding': 'malformed',
  'Invalid address': 'addressInvalid',
  'Address does not refer to key': 'addressNotKey',
};

function verifyAnswer(answer: Answer): string {
  return 'error' in answer ? (VERIFY_TEXTS[answer.error.message] ?? answer.error.message) : String(answer.result);
}
