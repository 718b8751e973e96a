import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evmAddress } from '../../../../src/htlc/evm-transaction.ts';
import { KDF_NETWORK } from '../../../../src/htlc/network-profile.ts';
import { identifyTransaction } from '../../../../src/htlc/transaction-id.ts';
import type { PaymentTerms } from '../../../../src/ports/chain.ts';
import { isHex } from '../../../../src/primitives/hex.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';
import type { AccountCodec, AccountDraft } from '../../../../src/sim/chains/account/codec.ts';
import { compactContractCodec, compactModuleCodec } from '../../../../src/sim/chains/account/compact-codec.ts';
import { realContractCodec } from '../../../../src/sim/chains/account/evm-codec.ts';
import { realModuleCodec } from '../../../../src/sim/chains/account/tendermint-codec.ts';
import type { Call } from '../../../../src/sim/chains/account/transaction.ts';
import { simulatedKey } from '../../../../src/sim/chains/mix.ts';
import type { DraftInput, DraftOutput, UtxoCodec, UtxoDraft } from '../../../../src/sim/chains/utxo/codec.ts';
import { compactUtxoCodec } from '../../../../src/sim/chains/utxo/compact-codec.ts';
import { realUtxoCodec } from '../../../../src/sim/chains/utxo/real-codec.ts';
import { units } from './support.ts';

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((all) => Buffer.from(all).toString('hex'));
const key = fc.nat(20).map((index) => simulatedKey(`key ${index}`));
const amount = fc.bigInt({ min: 1n, max: 1n << 53n });

const terms = (hashBytes: number, contract: string | null): fc.Arbitrary<PaymentTerms> =>
  fc.record({
    lock: fc.integer({ min: 500_000_000, max: 0xffff_ffff }).map((time) => time as UnixSeconds),
    secretHash: hex(hashBytes),
    sender: key,
    receiver: key,
    amount: fc.constant(units('1')),
    contract: fc.constant(contract),
  });

function utxoDraft(codec: UtxoCodec): fc.Arbitrary<UtxoDraft> {
  const signer = key.map((own) => ({ key: own, address: codec.addressOf(own) }));
  const place = { txid: hex(8).map((part) => part.repeat(4)), vout: fc.nat(255), final: fc.boolean(), signer };
  const script = fc
    .oneof(terms(20, null), terms(32, null))
    .map((all) => codec.scriptOf(all) ?? expect.fail('no script'));
  const input: fc.Arbitrary<DraftInput> = fc.oneof(
    fc.record({ by: fc.constant('key' as const), ...place }),
    fc.record({ by: fc.constantFrom('refund' as const, 'bare' as const), ...place, script }),
    fc.record({ by: fc.constant('secret' as const), ...place, script, secret: hex(32) }),
  );
  const output: fc.Arbitrary<DraftOutput> = fc.oneof(
    fc.record({ kind: fc.constant('key' as const), value: amount, lock: signer.map(({ address }) => address) }),
    fc.record({ kind: fc.constant('htlc' as const), value: amount, lock: script.map(({ id }) => id) }),
    fc.record({ kind: fc.constantFrom('burn' as const), value: amount, lock: fc.constant('') }),
  );
  return fc.record({
    lockTime: fc.nat(0xffff_ffff),
    inputs: fc.array(input, { minLength: 1, maxLength: 4 }),
    outputs: fc.array(output, { minLength: 1, maxLength: 4 }),
  });
}

const UTXO_CODECS: readonly (readonly [string, () => UtxoCodec])[] = [
  ['compact', compactUtxoCodec],
  ['real, first form', () => realUtxoCodec('BTC')],
  ['real, smart chain', () => realUtxoCodec('KMD')],
  ['real, with witnesses', () => realUtxoCodec('LTC', { scheme: 'p2wsh' })],
];

describe.each(UTXO_CODECS)('bytes of transactions with outputs: %s', (_, create) => {
  it('K1: another codec reads what one wrote, to the same structure', () => {
    fc.assert(
      fc.property(utxoDraft(create()), (draft) => {
        const written = create().encode(draft);
        expect(isHex(written.hex)).toBe(true);
        expect(written.id).toMatch(/^[0-9a-f]{64}$/);
        expect(create().decode(written.hex)).toEqual(written);
        expect(written.outputs.filter(({ kind }) => kind !== 'data')).toEqual(draft.outputs);
        expect(written.inputs.map(({ txid, vout, final }) => ({ txid, vout, final }))).toEqual(
          draft.inputs.map(({ txid, vout, final }) => ({ txid, vout, final })),
        );
        for (const [index, input] of draft.inputs.entries()) {
          const unlock = written.inputs[index]?.unlock;
          const holder =
            input.by === 'key'
              ? input.signer.address
              : input.by === 'refund'
                ? input.script.sender
                : input.script.receiver;
          expect([unlock?.by, unlock?.signed]).toEqual([input.by, input.signer.address === holder]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('a preimage is completed to the claim that the receiver would have made', () => {
    fc.assert(
      fc.property(terms(20, null), hex(32), (all, secret) => {
        const codec = create();
        const script = codec.scriptOf(all) ?? expect.fail('no script');
        const signer = { key: all.receiver, address: codec.addressOf(all.receiver) };
        const place = { txid: 'ab'.repeat(32), vout: 0, final: true, signer, script };
        const outputs = [{ kind: 'key', value: 5n, lock: signer.address }] as const;
        const bare = codec.encode({ lockTime: 7, inputs: [{ by: 'bare', ...place }], outputs });
        const claim = create().encode({ lockTime: 7, inputs: [{ by: 'secret', ...place, secret }], outputs });
        expect(codec.complete(bare.hex, secret)).toEqual(claim);
        expect(codec.complete(claim.hex, secret)).toBeNull();
      }),
      { numRuns: 40 },
    );
  });

  it('reads no outputs from noise', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          hex(60),
          hex(3).map((text) => `c0${text}`),
        ),
        (text) => {
          expect(create().decode(text)).toBeNull();
        },
      ),
      { numRuns: 100 },
    );
  });
});

function accountDraft(codec: AccountCodec, hashBytes: number): fc.Arbitrary<AccountDraft> {
  const address = key.map(codec.addressOf);
  const named = terms(hashBytes, codec.contract).map(
    (all) => codec.argumentsOf(all, 100_000_000n) ?? expect.fail('no arguments'),
  );
  const lock = codec.contract === null ? { lockTime: 0, lockBlocks: 77 } : { lockTime: 1_700_000_000, lockBlocks: 0 };
  const none = { amount: 0n, secret: null, hash: '', lockTime: 0, lockBlocks: 0 };
  const call: fc.Arbitrary<Call> = fc.oneof(
    address.map((party): Call => ({ kind: 'transfer', swap: '', party, ...none })),
    named.map(
      ({ id, receiver, hash }): Call => ({ kind: 'payment', swap: id, party: receiver, ...none, hash, ...lock }),
    ),
    fc.tuple(named, hex(32), amount).map(
      ([{ id, sender }, secret, taken]): Call => ({
        kind: 'claim',
        swap: id,
        party: sender,
        ...none,
        secret,
        amount: taken,
      }),
    ),
    fc.tuple(named, amount).map(
      ([{ id, receiver, hash }, taken]): Call => ({
        kind: 'refund',
        swap: id,
        party: receiver,
        ...none,
        hash,
        amount: taken,
      }),
    ),
  );
  return fc.record({
    signer: key.map((own) => ({ key: own, address: codec.addressOf(own) })),
    nonce: fc.nat(0xffff_ffff),
    price: fc.integer({ min: 1, max: 1e12 }),
    gas: fc.integer({ min: 1, max: 0xffff_ffff }),
    value: fc.bigInt({ min: 0n, max: 10n ** 27n }),
    call,
  });
}

const ACCOUNT_CODECS: readonly (readonly [string, number, () => AccountCodec])[] = [
  ['compact, with a contract', 20, () => compactContractCodec('ETH')],
  ['compact, with a module', 32, compactModuleCodec],
  ['real, EVM', 20, () => realContractCodec('ETH')],
  ['real, Tendermint', 32, () => realModuleCodec('IRIS')],
];

describe('accounts of a simulated EVM chain', () => {
  it('come from arithmetic of their own, and terms name the same ones, for a key on the curve and for one that is not', () => {
    const codec = realContractCodec('ETH');
    const feeKey = KDF_NETWORK.tradingFee?.feeKey ?? '';
    expect(codec.addressOf(feeKey)).toBe(codec.feeAddress);
    const keys = Array.from({ length: 20 }, (_, index) => simulatedKey(`key ${index}`));
    const onCurve = keys.filter((one) => evmAddress(Buffer.from(one, 'hex')) !== undefined);
    expect(onCurve.length).toBeGreaterThan(3);
    expect(onCurve.length).toBeLessThan(17);
    for (const receiver of [feeKey, ...keys]) {
      const [said] = fc.sample(terms(20, codec.contract), { seed: 5, numRuns: 1 });
      const named = codec.argumentsOf({ ...(said as PaymentTerms), receiver }, 1n);
      expect(named?.receiver, receiver).toBe(codec.addressOf(receiver));
    }
  });
});

describe.each(ACCOUNT_CODECS)('bytes of transactions of accounts: %s', (_, hashBytes, create) => {
  it('K1: another codec reads what one wrote, to the same structure', () => {
    fc.assert(
      fc.property(accountDraft(create(), hashBytes), (draft) => {
        const written = create().encode(draft);
        expect(isHex(written.hex)).toBe(true);
        expect(written.id).toMatch(/^[0-9a-f]{64}$/);
        expect(create().decode(written.hex)).toEqual(written);
        expect(written).toMatchObject({ nonce: draft.nonce, price: draft.price, value: draft.value, call: draft.call });
      }),
      { numRuns: 60 },
    );
  });

  it('reads no call of an account from noise', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          hex(60),
          hex(3).map((text) => `ac${text}`),
        ),
        (text) => {
          expect(create().decode(text)).toBeNull();
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('ids of real transactions are those of their families', () => {
  it.each([
    [
      'utxo',
      realUtxoCodec('LTC').encode(fc.sample(utxoDraft(realUtxoCodec('LTC')), { seed: 1, numRuns: 1 })[0] as UtxoDraft),
    ],
    [
      'utxo',
      realUtxoCodec('DOC').encode(fc.sample(utxoDraft(realUtxoCodec('DOC')), { seed: 2, numRuns: 1 })[0] as UtxoDraft),
    ],
    [
      'evm',
      realContractCodec('ETH').encode(
        fc.sample(accountDraft(realContractCodec('ETH'), 20), { seed: 3, numRuns: 1 })[0] as AccountDraft,
      ),
    ],
    [
      'tendermint',
      realModuleCodec('IRIS').encode(
        fc.sample(accountDraft(realModuleCodec('IRIS'), 32), { seed: 4, numRuns: 1 })[0] as AccountDraft,
      ),
    ],
  ])('%s', (family, { id, hex: bytes }) => {
    expect(identifyTransaction(bytes, id)).toEqual({ status: 'verified', family });
  });
});
