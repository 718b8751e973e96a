import fc from 'fast-check';
import { getAddress, keccak256, parseTransaction, recoverTransactionAddress, toHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import type { DeviceTrouble } from '../../../../src/hardware/simulator/index.ts';
import { MESSAGE } from '../../../../src/hardware/trezor/message-types.ts';
import { messageWriter } from '../../../../src/hardware/trezor/protobuf.ts';
import { reportsOf } from '../../../../src/hardware/trezor/reports.ts';
import type { DeviceSession, DeviceTransaction } from '../../../../src/ports/hardware-wallet.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import { draws } from '../../../support/draws.ts';
import {
  faultOf,
  follow,
  got,
  LEGACY,
  OTHER_WORDS,
  PATH,
  type TestDevice,
  TRANSACTION,
  testDevice,
  WORDS,
} from '../../../support/hardware.ts';

const ADDRESS = mnemonicToAccount(WORDS).address;

async function sign(under: TestDevice, session: DeviceSession, transaction: DeviceTransaction) {
  const step = await follow(await session.signTransaction({ path: PATH, from: ADDRESS, transaction }), under.device);
  const { raw, hash } = got(step);
  return { raw: toHex(raw), hash: `0x${hash}` };
}

/** What another program reads in a signed transaction. */
function read(raw: `0x${string}`) {
  const { chainId, nonce = 0, gas, to, value = 0n, data = '0x', ...rest } = parseTransaction(raw);
  const fees = { gasPrice: rest.gasPrice, maxFeePerGas: rest.maxFeePerGas, tip: rest.maxPriorityFeePerGas };
  return {
    type: rest.type,
    chainId,
    nonce: BigInt(nonce),
    gas: gas ?? 0n,
    to: to ? getAddress(to) : null,
    value,
    data,
    ...fees,
  };
}

function asked({ chainId, nonce, gasLimit, to, value, data, fee }: DeviceTransaction) {
  const legacy = fee.kind === 'legacy';
  return {
    type: fee.kind,
    ...{ chainId, nonce, gas: gasLimit, to: to === null ? null : getAddress(to), value, data: toHex(data) },
    gasPrice: legacy ? fee.gasPrice : undefined,
    maxFeePerGas: legacy ? undefined : fee.maxFeePerGas,
    tip: legacy ? undefined : fee.maxPriorityFeePerGas,
  };
}

const bytes = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 7 + 3) % 256);

describe('a transaction that was signed', () => {
  it.each([
    ['of EIP-1559', TRANSACTION],
    ['legacy, with the id of its chain', LEGACY],
    ['legacy, on a chain whose id does not fit beside the parity', { ...LEGACY, chainId: 2 ** 40 + 5 }],
    ['of nonce 0 and value 0', { ...LEGACY, nonce: 0n, value: 0n }],
    ['that creates a contract', { ...TRANSACTION, to: null, data: bytes(77) }],
    ['legacy that creates a contract', { ...LEGACY, to: null, data: bytes(3000) }],
    ...[1, 1023, 1024, 1025, 2048, 5001].map(
      (size) => [`with ${size} bytes of data`, { ...TRANSACTION, data: bytes(size) }] as const,
    ),
    ['with one byte below 128', { ...LEGACY, data: Uint8Array.of(5) }],
  ] as const)('%s is the account’s, and what was asked for', async (_, transaction) => {
    const under = await testDevice();
    const session = got(await under.wallet.connect());
    const { raw, hash } = await sign(under, session, transaction);
    expect(await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toBe(ADDRESS);
    expect(read(raw)).toEqual(asked(transaction));
    expect(hash).toBe(keccak256(raw));
  });

  it('is so whatever its numbers', async () => {
    const under = await testDevice();
    const session = got(await under.wallet.connect());
    const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
    const price = fc.bigInt({ min: 1n, max: 2n ** 120n - 1n });
    const drawn = fc.record({
      chainId: fc.integer({ min: 1, max: 2 ** 31 - 20 }),
      nonce: fc.bigInt({ min: 0n, max: 2n ** 40n }),
      gasLimit: fc.bigInt({ min: 1n, max: 2n ** 60n }),
      to: fc.constantFrom('0x24ABE4c71FC658C91313b6552cd40cD808b3Ea80', '0x00000000000000000000000000000000000000a1'),
      value: amount,
      data: fc.uint8Array({ maxLength: 1500 }),
      fee: fc.oneof(
        price.map((gasPrice) => ({ kind: 'legacy', gasPrice }) as const),
        fc.tuple(price, price).map(([left, right]) => {
          const [tip, most] = left < right ? [left, right] : [right, left];
          return { kind: 'eip1559', maxFeePerGas: most, maxPriorityFeePerGas: tip } as const;
        }),
      ),
    });
    const run = fc.asyncProperty(drawn, async (transaction) => {
      const { raw } = await sign(under, session, transaction);
      expect(await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toBe(ADDRESS);
      expect(read(raw)).toEqual(asked(transaction));
    });
    await fc.assert(run, { numRuns: draws({ sample: 10, change: 40 }) });
  });

  it('was shown to the user, who may refuse it', async () => {
    const { wallet, device } = await testDevice({ buttons: 'deny' });
    const session = got(await wallet.connect());
    const step = await session.signTransaction({ path: PATH, from: ADDRESS, transaction: TRANSACTION });
    expect(device.screen()).toEqual({
      kind: 'confirm',
      lines: [
        'To 0x24ABE4c71FC658C91313b6552cd40cD808b3Ea80',
        'Amount 1234567890123456789 wei on chain 137',
        'Fee at most 13500000000000000 wei',
      ],
    });
    expect(faultOf(await follow(step, device))).toBe('cancelled');
  });
});

describe('R5: nothing is handed out that', () => {
  it('another account signed', async () => {
    const under = await testDevice({ words: new Secret(OTHER_WORDS) });
    const session = got(await under.wallet.connect());
    const step = await session.signTransaction({ path: PATH, from: ADDRESS, transaction: TRANSACTION });
    expect(faultOf(await follow(step, under.device))).toBe('signatureInvalid');
  });

  it.each([
    ['changed', (r: Uint8Array, s: Uint8Array) => ({ v: 0, r: r.with(31, (r[31] ?? 0) ^ 1), s })],
    ['of no meaning', (_: Uint8Array, s: Uint8Array) => ({ v: 1, r: new Uint8Array(32), s })],
    ['in the form that nodes refuse', (r: Uint8Array, s: Uint8Array, v: number) => ({ v: 1 - v, r, s: negated(s) })],
    ['for the other of two keys', (r: Uint8Array, s: Uint8Array, v: number) => ({ v: 1 - v, r, s })],
    ['with an impossible v', (r: Uint8Array, s: Uint8Array) => ({ v: 29, r, s })],
  ])('has a signature %s', async (_, change) => {
    const truth = mnemonicToAccount(WORDS);
    const { chainId, nonce, gasLimit, to, value } = TRANSACTION;
    const signed = parseTransaction(
      await truth.signTransaction({
        ...{ type: 'eip1559', chainId, nonce: Number(nonce), gas: gasLimit, value },
        ...{ to: to as `0x${string}`, maxFeePerGas: 90_000_000_000n, maxPriorityFeePerGas: 31_000_000_000n },
      }),
    );
    const [r, s] = [signed.r, signed.s].map((hex) =>
      Uint8Array.from(Buffer.from(hex?.slice(2).padStart(64, '0') ?? '', 'hex')),
    );
    const forged = change(r ?? new Uint8Array(0), s ?? new Uint8Array(0), signed.yParity ?? 0);
    const payload = messageWriter().number(2, forged.v).bytes(3, forged.r).bytes(4, forged.s).done();
    const trouble = ({ type, direction }: { type: number; direction: string }): DeviceTrouble | undefined =>
      direction === 'out' && type === MESSAGE.ethereumTxRequest
        ? { datagrams: () => reportsOf({ type: MESSAGE.ethereumTxRequest, payload }) }
        : undefined;
    const under = await testDevice({ trouble });
    const session = got(await under.wallet.connect());
    const step = await session.signTransaction({ path: PATH, from: ADDRESS, transaction: TRANSACTION });
    expect(faultOf(await follow(step, under.device))).toBe('signatureInvalid');
  });

  it('is signed before all of its data was sent', async () => {
    const payload = messageWriter().number(2, 0).bytes(3, bytes(32)).bytes(4, bytes(32)).done();
    const trouble = ({ type, direction }: { type: number; direction: string }): DeviceTrouble | undefined =>
      direction === 'out' && type === MESSAGE.ethereumTxRequest
        ? { datagrams: () => reportsOf({ type: MESSAGE.ethereumTxRequest, payload }) }
        : undefined;
    const { wallet } = await testDevice({ trouble });
    const session = got(await wallet.connect());
    const transaction = { ...TRANSACTION, data: bytes(1025) };
    expect(faultOf(await session.signTransaction({ path: PATH, from: ADDRESS, transaction }))).toBe('garbled');
  });
});

const ORDER = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n;
const negated = (s: Uint8Array): Uint8Array =>
  Uint8Array.from(Buffer.from((ORDER - BigInt(toHex(s))).toString(16).padStart(64, '0'), 'hex'));

describe('what no device would accept is refused before anything is sent', () => {
  it.each<readonly [string, Partial<DeviceTransaction>]>([
    ['a chain without an id', { chainId: 0 }],
    ['half a chain', { chainId: 1.5 }],
    ['a nonce below 0', { nonce: -1n }],
    ['a value of 257 bits', { value: 2n ** 256n }],
    ['a callee that is no address', { to: '0x12' }],
    ['a contract of no data', { to: null }],
    ['more data than a device takes', { data: new Uint8Array(16_000_001) }],
    ['a tip above the whole fee', { fee: { kind: 'eip1559', maxFeePerGas: 1n, maxPriorityFeePerGas: 2n } }],
    ['a fee of too many digits', { fee: { kind: 'legacy', gasPrice: 2n ** 230n }, gasLimit: 2n ** 20n }],
  ])('%s', async (_, change) => {
    const { wallet, traffic } = await testDevice();
    const session = got(await wallet.connect());
    const sent = traffic.length;
    const transaction = { ...TRANSACTION, ...change };
    expect(faultOf(await session.signTransaction({ path: PATH, from: ADDRESS, transaction }))).toBe('unsupported');
    expect(faultOf(await session.signTransaction({ path: PATH, from: 'me', transaction: TRANSACTION }))).toBe(
      'unsupported',
    );
    expect(traffic.length).toBe(sent);
  });
});
