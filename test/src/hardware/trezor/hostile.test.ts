import { mnemonicToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { deviceAccount } from '../../../../src/hardware/evm/account.ts';
import { signingHash } from '../../../../src/hardware/evm/transaction.ts';
import type { DeviceTraffic, DeviceTrouble } from '../../../../src/hardware/simulator/index.ts';
import { MESSAGE } from '../../../../src/hardware/trezor/message-types.ts';
import { messageWriter } from '../../../../src/hardware/trezor/protobuf.ts';
import { reportsOf } from '../../../../src/hardware/trezor/reports.ts';
import type { DeviceSession, DeviceStep, DeviceTransaction } from '../../../../src/ports/hardware-wallet.ts';
import { hexToBytes } from '../../../../src/primitives/hex.ts';
import {
  faultOf,
  follow,
  got,
  LEGACY,
  PATH,
  passUntil,
  TRANSACTION,
  testDevice,
  WORDS,
} from '../../../support/hardware.ts';
import { settled } from '../../../support/virtual-clock.ts';

// A device is in somebody's hands, and what listens at its port may be no device: whatever it says, a request ends, and nothing that was not asked for is
// taken for an answer.

const OWN = mnemonicToAccount(WORDS);
const OTHER_PATH = "m/44'/60'/0'/0/1";
const OTHER = mnemonicToAccount(WORDS, { addressIndex: 1 });

type Ask = (session: DeviceSession) => Promise<DeviceStep<unknown>>;
const ASKS: Readonly<Record<string, readonly [answer: number, ask: Ask]>> = {
  ping: [MESSAGE.success, (session) => session.ping()],
  'a key': [MESSAGE.ethereumPublicKey, (session) => session.publicKey({ path: "m/44'/60'/0'" })],
  'an address': [MESSAGE.ethereumAddress, (session) => session.address({ path: PATH })],
  'a signature': [
    MESSAGE.ethereumTxRequest,
    (session) => session.signTransaction({ path: PATH, from: OWN.address, transaction: TRANSACTION }),
  ],
};

/** Once it is armed, it says something else in the place of the answers of this type. */
function says(type: number, datagrams: (reports: readonly Uint8Array[]) => readonly Uint8Array[], from = 0) {
  let seen = 0;
  return (traffic: DeviceTraffic): DeviceTrouble | undefined => {
    if (traffic.direction !== 'out' || traffic.type !== type) return undefined;
    seen += 1;
    return seen > from ? { datagrams } : undefined;
  };
}

/** The first report of a message of this type that announces so many bytes. */
function announcing(type: number, bytes: number): Uint8Array {
  const report = (reportsOf({ type, payload: new Uint8Array(1) })[0] as Uint8Array).slice();
  new DataView(report.buffer).setUint32(5, bytes);
  return report;
}

describe.each(Object.entries(ASKS))('a device that is asked for %s', (_, [answer, ask]) => {
  it.each([0xffff_ffff, 0x8000_0000, 16_385])('and announces %i bytes is left at once', async (bytes) => {
    const { wallet, device, traffic } = await testDevice({ trouble: says(answer, () => [announcing(answer, bytes)]) });
    const session = got(await wallet.connect());
    // The clock stands still: nothing is waited for.
    expect(faultOf(await follow(await ask(session), device))).toBe('garbled');
    const before = traffic.length;
    expect(faultOf(await ask(session))).toBe('unplugged');
    expect(traffic.length).toBe(before);
    await session.close();
    await got(await wallet.connect()).close();
  });

  it('and says half of a message is waited for as long as it may take, and left', async () => {
    const half = reportsOf({ type: answer, payload: new Uint8Array(200) }).slice(0, 2);
    const { wallet, device, clock } = await testDevice({ trouble: says(answer, () => half) });
    const session = got(await wallet.connect());
    const began = clock.now();
    const end = (async () => faultOf(await follow(await ask(session), device)))();
    expect(await passUntil(end, clock)).toBe('timeout');
    expect(clock.now() - began).toBeLessThanOrEqual(601_000);
    await session.close();
    await got(await wallet.connect()).close();
  });

  it('and continues with another message before the first is complete is not understood', async () => {
    const half = reportsOf({ type: answer, payload: new Uint8Array(100) }).slice(0, 1);
    const { wallet, device } = await testDevice({ trouble: says(answer, (reports) => [...half, ...reports]) });
    const session = got(await wallet.connect());
    expect(faultOf(await follow(await ask(session), device))).toBe('garbled');
  });

  it('and says anything of another kind is left, or asks its user, and never answers so', async () => {
    const empty = new Uint8Array(0);
    const ends = new Map<string, number>();
    for (const type of [...Object.values(MESSAGE), 7, 9999, 0xffff]) {
      if (type === answer) continue;
      let hasSaid = false;
      const trouble = says(answer, () => {
        hasSaid = true;
        return reportsOf({ type, payload: empty });
      });
      const { wallet, device } = await testDevice({ trouble });
      let step = await ask(got(await wallet.connect()));
      // Of a signature its user is asked before.
      if (step.kind === 'button' && !hasSaid) step = await step.proceed();
      const end = step.kind === 'failed' || step.kind === 'done' ? faultOf(step) : step.kind;
      ends.set(end, (ends.get(end) ?? 0) + 1);
      await device.unplug();
    }
    expect([...ends.keys()].sort()).toEqual(['button', 'passphrase', 'pin', 'refused', 'unexpectedMessage']);
    expect(['button', 'passphrase', 'pin', 'refused'].map((end) => ends.get(end))).toEqual([1, 1, 1, 1]);
  });
});

describe('a device whose answer comes after it was told to stop', () => {
  it('is not believed that it was meant for the next request', async () => {
    const held: { readonly delayMs: number } = { delayMs: 5000 };
    let late = true;
    const { wallet, clock } = await testDevice({
      trouble: ({ direction, type }) => {
        if (direction !== 'out' || type !== MESSAGE.ethereumAddress || !late) return undefined;
        late = false;
        return held;
      },
    });
    const session = got(await wallet.connect());
    const first = session.address({ path: PATH });
    await settled();
    await session.cancel();
    const told = await passUntil(first, clock);
    expect(['cancelled', 'none']).toContain(faultOf(told));
    if (told.kind === 'done') expect(told.value).toBe(OWN.address);
    expect(got(await passUntil(session.address({ path: OTHER_PATH }), clock))).toBe(OTHER.address);
    await session.close();
  });

  it('keeps it to itself in the next session', async () => {
    let late = true;
    const { wallet, clock } = await testDevice({
      trouble: ({ direction, type }) => {
        if (direction !== 'out' || type !== MESSAGE.ethereumAddress || !late) return undefined;
        late = false;
        return { delayMs: 5000 };
      },
    });
    const session = got(await wallet.connect());
    const first = session.address({ path: PATH });
    await settled();
    await session.close();
    expect(faultOf(await first)).toBe('unplugged');
    const next = got(await passUntil(wallet.connect(), clock));
    await clock.advance(5000);
    const asked = await passUntil(next.address({ path: OTHER_PATH }), clock);
    if (asked.kind === 'done') expect(asked.value).toBe(OTHER.address);
    else expect(faultOf(asked)).toMatch(/^(?:unexpectedMessage|unplugged)$/);
    await next.close();
  });
});

describe('a device that changes its mind', () => {
  const answersAs = (address: string) =>
    reportsOf({ type: MESSAGE.ethereumAddress, payload: messageWriter().text(2, address).done() });

  it('about an account signs nothing for the one that it has named', async () => {
    const { wallet, device } = await testDevice({
      trouble: says(MESSAGE.ethereumAddress, () => answersAs(OTHER.address)),
    });
    const session = got(await wallet.connect());
    const account = got(await deviceAccount(session, { path: PATH }));
    expect(account.address).toBe(OTHER.address);
    expect(faultOf(await follow(await account.sign(TRANSACTION), device))).toBe('signatureInvalid');
    const expected = await deviceAccount(session, { path: PATH, address: OWN.address });
    expect(faultOf(expected)).toBe('wrongDevice');
  });

  it('between two questions is the wrong device for the account that was known', async () => {
    const trouble = says(MESSAGE.ethereumAddress, () => answersAs(OTHER.address), 1);
    const { wallet } = await testDevice({ trouble });
    const session = got(await wallet.connect());
    const { address } = got(await deviceAccount(session, { path: PATH }));
    expect(faultOf(await deviceAccount(session, { path: PATH, address }))).toBe('wrongDevice');
  });

  it('about its key is another device for a caller that knows the key', async () => {
    const { wallet } = await testDevice();
    const first = got(await wallet.connect());
    const { key } = first.device;
    await first.close();
    const other = await testDevice({ passphrase: true });
    const step = await follow(await other.wallet.connect({ key }), other.device, { passphrase: 'another' });
    expect(faultOf(step)).toBe('wrongDevice');
  });
});

describe('a signature of the account itself that does not fit what was to be signed', () => {
  const CHANGES: Readonly<Record<string, Partial<DeviceTransaction>>> = {
    'of another chain': { chainId: 1 },
    'to somebody else': { to: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94' },
    'of another amount': { value: TRANSACTION.value + 1n },
    'of another nonce': { nonce: TRANSACTION.nonce + 1n },
    'of more gas': { gasLimit: TRANSACTION.gasLimit + 1n },
    'with data': { data: Uint8Array.of(1) },
    'without what is left of the data': { data: new Uint8Array(3) },
    'for creating a contract': { to: null, data: Uint8Array.of(1) },
  };
  const FORMS = { 'of EIP-1559': TRANSACTION, 'of before that': LEGACY } as const;

  /** As a device answers that has the key, and signed this. */
  async function signedInstead(transaction: DeviceTransaction, { vOf }: { vOf: (parity: number) => number }) {
    const { r, s, yParity } = await signDigest(signingHash(transaction));
    const fields = messageWriter().number(2, vOf(yParity)).bytes(3, r).bytes(4, s);
    return reportsOf({ type: MESSAGE.ethereumTxRequest, payload: fields.done() });
  }

  async function signDigest(hash: Uint8Array) {
    const { sign } = await import('viem/accounts');
    const privateKey = `0x${Buffer.from(OWN.getHdKey().privateKey ?? []).toString('hex')}` as const;
    const { r, s, yParity = 0 } = await sign({ hash: `0x${Buffer.from(hash).toString('hex')}`, privateKey });
    const bytes = (hex: string) => hexToBytes(hex.slice(2).padStart(64, '0'));
    return { r: bytes(r), s: bytes(s), yParity };
  }

  describe.each(Object.entries(FORMS))('%s', (_form, asked) => {
    const end = async (answer: readonly Uint8Array[]): Promise<string> => {
      const { wallet, device } = await testDevice({ trouble: says(MESSAGE.ethereumTxRequest, () => answer) });
      const session = got(await wallet.connect());
      const step = await session.signTransaction({ path: PATH, from: OWN.address, transaction: asked });
      return faultOf(await follow(step, device));
    };

    it('is valid: what is signed as asked is handed out, in each form of its recovery bit', async () => {
      for (const vOf of [
        (parity: number) => parity,
        (parity: number) => 27 + parity,
        (parity: number) => 35 + 2 * asked.chainId + parity,
      ])
        expect(await end(await signedInstead(asked, { vOf }))).toBe('none');
    });

    it.each(Object.entries(CHANGES))('%s is not handed out', async (_change, change) => {
      expect(await end(await signedInstead({ ...asked, ...change }, { vOf: (parity) => parity }))).toBe(
        'signatureInvalid',
      );
    });

    it('with the mark of another chain in its recovery bit is not handed out', async () => {
      expect(await end(await signedInstead(asked, { vOf: (parity) => 37 + parity }))).toBe('signatureInvalid');
    });

    it('of the other form is not handed out', async () => {
      const other: DeviceTransaction = { ...asked, fee: asked === LEGACY ? TRANSACTION.fee : LEGACY.fee };
      expect(await end(await signedInstead(other, { vOf: (parity) => parity }))).toBe('signatureInvalid');
    });
  });
});
