import { createBase58check } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../../../src/htlc/byte-writer.ts';
import { pushData } from '../../../../src/htlc/script.ts';
import { sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { decodeCondition, decodeFulfillment } from '../../../../src/smartchain/conditions/decode.ts';
import { encodeCondition, encodeFulfillment } from '../../../../src/smartchain/conditions/encode.ts';
import { PREFIXES } from '../../../../src/smartchain/params.ts';
import {
  conditionAddressHash,
  conditionOf,
  conditionScript,
  fulfillmentOf,
  fulfillmentScriptSig,
  tokenCondition,
} from '../../../../src/smartchain/script/condition-scripts.ts';
import { describeShared, readShared } from '../../../support/shared.ts';
import { anyTree, hex, KEY, OTHER_KEY } from '../conditions/trees.ts';

const base58check = createBase58check(sha256);

function addressOf(script: Uint8Array): string {
  return base58check.encode(concatBytes([Uint8Array.of(PREFIXES.main.key), conditionAddressHash(script)]));
}

type AddressVector = {
  readonly desc: string;
  readonly evalcodes: readonly string[];
  readonly pubkeys: readonly string[];
  readonly condition: string;
  readonly scriptPubKey: string;
  readonly address: string;
};

type GlobalVector = Pick<AddressVector, 'condition' | 'scriptPubKey'> & {
  readonly module: string;
  readonly evalcode: string;
  readonly globalPubkey: string;
  readonly ccAddress: string;
};

describeShared('published condition addresses', () => {
  const { samples, derived, global } = JSON.parse(readShared('vectors/node/cc-addresses.json')) as {
    samples: readonly AddressVector[];
    derived: readonly AddressVector[];
    global: readonly GlobalVector[];
  };

  it('are all there', () => {
    expect([samples.length, derived.length, global.length]).toEqual([22, 2, 14]);
  });

  it.each([...samples, ...derived])('$desc: $address', (vector) => {
    const evals = vector.evalcodes.map(Number);
    const script = conditionScript(tokenCondition({ evals, keys: vector.pubkeys.map(hex) }));
    expect(bytesToHex(script)).toBe(vector.scriptPubKey);
    expect(bytesToHex(conditionOf(script)?.condition ?? script)).toBe(vector.condition);
    expect(addressOf(script)).toBe(vector.address);
  });

  it.each(global)('module $module: $ccAddress', (vector) => {
    const script = conditionScript(
      tokenCondition({ evals: [Number(vector.evalcode)], keys: [hex(vector.globalPubkey)] }),
    );
    expect(bytesToHex(script)).toBe(vector.scriptPubKey);
    // The address constants of these two modules are stale in the node's source; their scripts are not.
    const stale = vector.module === 'Lotto' || vector.module === 'FSM';
    expect(addressOf(script) === vector.ccAddress).toBe(!stale);
  });
});

type TokenTransaction = {
  readonly desc: string;
  readonly decoded: {
    readonly vin: readonly { readonly scriptSig: { readonly hex: string } }[];
    readonly vout: readonly {
      readonly scriptPubKey: { readonly type: string; readonly hex: string; readonly addresses?: readonly string[] };
    }[];
  };
};

describeShared('real token transactions', () => {
  const { vectors } = JSON.parse(readShared('vectors/node/token-transactions.json')) as {
    vectors: readonly TokenTransaction[];
  };

  it('hold outputs and fulfillments to look at', () => {
    expect(vectors).toHaveLength(13);
  });

  it.each(vectors)('$desc: outputs are told apart and give their addresses', ({ decoded }) => {
    for (const { scriptPubKey } of decoded.vout) {
      const script = hex(scriptPubKey.hex);
      const output = conditionOf(script);
      expect(output !== undefined).toBe(scriptPubKey.type === 'cryptocondition');
      if (output === undefined) continue;
      const condition = decodeCondition(output.condition);
      if (condition === undefined) throw new Error('not read');
      expect(conditionScript(condition)).toEqual(script);
      expect([addressOf(script)]).toEqual(scriptPubKey.addresses);
    }
  });

  it.each(vectors)('$desc: fulfillments are found in inputs and written again', ({ decoded }) => {
    for (const { scriptSig } of decoded.vin) {
      const script = hex(scriptSig.hex);
      const given = fulfillmentOf(script);
      // An input of a plain key pushes its DER signature first, which is no fulfillment.
      if (given === undefined || given.fulfillment[0] === 0x30) continue;
      expect(given.hashType).toBe(1);
      const read = decodeFulfillment(given.fulfillment);
      expect(read === undefined ? undefined : encodeFulfillment(read)).toEqual(given.fulfillment);
      expect(fulfillmentScriptSig(given.fulfillment)).toEqual(script);
    }
  });
});

describe('condition of a module output', () => {
  const encoded = (evals: readonly number[], keys: readonly Uint8Array[]) =>
    bytesToHex(encodeCondition(tokenCondition({ evals, keys })));

  it('does not depend on the order of evals or keys', () => {
    expect(encoded([0x11, 0xf2], [KEY, OTHER_KEY])).toBe(encoded([0xf2, 0x11], [OTHER_KEY, KEY]));
  });

  it('counts the token eval once, and no other', () => {
    expect(encoded([0xf2, 0xf2], [KEY])).toBe(encoded([0xf2], [KEY]));
    expect(encoded([0x11, 0x11], [KEY])).not.toBe(encoded([0x11], [KEY]));
  });

  it.each([
    ['no eval', [], [KEY]],
    ['no key', [0xf2], []],
    ['an eval of two bytes', [0x100], [KEY]],
    ['a negative eval', [-1], [KEY]],
    ['an eval that is not whole', [0.5], [KEY]],
    ['a key of 32 bytes', [0xf2], [KEY, KEY.subarray(1)]],
  ])('is refused with %s', (_, evals, keys) => {
    const refusal = expect.objectContaining({ code: 'SMARTCHAIN_CONDITION_INVALID' });
    expect(() => tokenCondition({ evals, keys })).toThrow(refusal);
  });
});

describe('output script', () => {
  const script = conditionScript(tokenCondition({ evals: [0xf2], keys: [KEY] }));
  const followedBy = (tail: string) => concatBytes([script, hex(tail)]);

  it('of any condition is recognized', () => {
    fc.assert(
      fc.property(anyTree, (condition) => {
        const written = conditionScript(condition);
        expect(conditionOf(written)).toEqual({ condition: encodeCondition(condition), paid: written });
      }),
    );
  });

  it.each([
    ['a push and a drop', '01aa75'],
    ['two pushes and two drops', '01aa02bbbb7575'],
    ['a push of up to 255 bytes', '4c01aa75'],
    ['the numbers 0, 1 and 16', '005160757575'],
  ])('may be followed by %s, which the address does not see', (_, tail) => {
    const long = followedBy(tail);
    expect(conditionOf(long)).toMatchObject({ paid: script, opDropTail: hex(tail) });
    expect(conditionAddressHash(long)).toEqual(conditionAddressHash(script));
  });

  it.each([
    ['a push alone', '01aa'],
    ['a drop alone', '75'],
    ['a drop before its push', '7501aa'],
    ['an empty push with a length byte', '4c0075'],
    ['the number -1', '4f75'],
    ['the number 17, which is none', '6175'],
    ['any other operation', 'ac'],
    ['a push that is cut off', '02aa'],
    ['another check of a condition', 'cc'],
  ])('is not recognized with %s behind', (_, tail) => {
    expect(conditionOf(followedBy(tail))).toBeUndefined();
    expect(() => conditionAddressHash(followedBy(tail))).toThrow(
      expect.objectContaining({ code: 'SMARTCHAIN_CONDITION_INVALID' }),
    );
  });

  it('pushes 1 to 75 bytes, whatever they are', () => {
    const paying = (push: Uint8Array) => conditionOf(concatBytes([push, Uint8Array.of(0xcc)]));
    expect(paying(hex('01aa'))?.condition).toEqual(hex('aa'));
    expect(paying(pushData(new Uint8Array(75)))?.condition).toHaveLength(75);
    expect(paying(pushData(new Uint8Array(76)))).toBeUndefined();
    expect(paying(hex('4c01aa'))).toBeUndefined();
    expect(paying(hex('00'))).toBeUndefined();
    expect(paying(hex('51'))).toBeUndefined();
    expect(conditionOf(hex('01aa'))).toBeUndefined();
    expect(conditionOf(hex(''))).toBeUndefined();
  });
});

describe('input script', () => {
  it('gives back the fulfillment and the hash type', () => {
    const notEmpty = fc.uint8Array({ minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(notEmpty, fc.nat(255), (fulfillment, hashType) => {
        expect(fulfillmentOf(fulfillmentScriptSig(fulfillment, hashType))).toEqual({ fulfillment, hashType });
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['OP_0', '00'],
    ['a number', '51'],
    ['the hash type alone', '0101'],
    ['a longer push than needed', '4c02aa01'],
    ['two pushes', '02aa0102aa01'],
    ['a push and an operation', '02aa0175'],
    ['a push that is cut off', '03aa01'],
  ])('gives nothing when it is %s', (_, bytes) => {
    expect(fulfillmentOf(hex(bytes))).toBeUndefined();
  });
});
