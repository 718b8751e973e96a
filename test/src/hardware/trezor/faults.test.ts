import { inspect } from 'node:util';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import fc from 'fast-check';
import { mnemonicToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { activationError, type HwErrorName, hwErrorOf } from '../../../../machines/activation/task/errors.ts';
import { taskError } from '../../../../src/events/task-error.ts';
import { DeviceError, followDevice } from '../../../../src/hardware/device-error.ts';
import type { DeviceTraffic, DeviceTrouble } from '../../../../src/hardware/simulator/index.ts';
import { faultOfFailure, hwErrorName } from '../../../../src/hardware/trezor/faults.ts';
import type { LinkListener } from '../../../../src/hardware/trezor/link.ts';
import { MESSAGE } from '../../../../src/hardware/trezor/message-types.ts';
import { messageWriter } from '../../../../src/hardware/trezor/protobuf.ts';
import { createAssembler, reportsOf, type WireMessage } from '../../../../src/hardware/trezor/reports.ts';
import { createTrezorWallet } from '../../../../src/hardware/trezor/wallet.ts';
import type { DeviceFaultKind, DeviceStep, HardwareWallet } from '../../../../src/ports/hardware-wallet.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import { draws, oneIn } from '../../../support/draws.ts';
import {
  faultOf,
  follow,
  got,
  LEGACY,
  PASSPHRASE,
  PATH,
  PIN,
  passUntil,
  type TestDevice,
  TRANSACTION,
  testDevice,
  WORDS,
} from '../../../support/hardware.ts';
import { settled, type VirtualClock, virtualClock } from '../../../support/virtual-clock.ts';

const ADDRESS = mnemonicToAccount(WORDS).address;
const DATA = new Uint8Array(2100).fill(9);

/** A whole talk: PIN, passphrase, a key, an address that is shown, and a transaction in pieces. */
async function talk({ wallet, device }: Pick<TestDevice, 'wallet' | 'device'>): Promise<DeviceStep<unknown>> {
  const connected = await follow(await wallet.connect(), device);
  if (connected.kind !== 'done') return connected;
  const session = connected.value;
  const requests = [
    async () => session.ping(),
    async () => session.publicKey({ path: "m/44'/60'/0'" }),
    async () => session.address({ path: PATH, show: true }),
    async () => session.signTransaction({ path: PATH, from: hidden, transaction: { ...TRANSACTION, data: DATA } }),
  ];
  let step: DeviceStep<unknown> = { kind: 'done', value: undefined };
  for (const request of requests) {
    step = await follow<unknown>(await request(), device);
    if (step.kind !== 'done') break;
  }
  await session.close();
  return step;
}

const hidden = mnemonicToAccount(WORDS, { passphrase: PASSPHRASE }).address;
/** Messages of the talk in both directions, before the session is closed. */
const MESSAGES = 24;
const guarded = { pin: new Secret(PIN), passphrase: true };

describe('R2: at every message of a session', () => {
  it('the exchange completes without a fault', async () => {
    const under = await testDevice(guarded);
    expect(faultOf(await talk(under))).toBe('none');
    expect(under.traffic.findLast(({ type }) => type === MESSAGE.ethereumTxRequest)?.index).toBe(MESSAGES - 1);
  });

  it.each(['unplug', 'lose'] as const)('%s ends it, and a new one goes through', async (trouble) => {
    const kinds = new Set<DeviceFaultKind | 'none'>();
    for (const at of oneIn(7, [...Array(MESSAGES).keys()])) {
      let armed = true;
      const under = await testDevice({
        ...guarded,
        trouble: ({ index }) => {
          if (!armed || index !== at) return undefined;
          armed = false;
          return trouble;
        },
      });
      const ended = talk(under);
      await Promise.race([ended, until(() => !armed)]);
      if (trouble === 'unplug') await under.device.unplug();
      const fault = faultOf(await passUntil(ended, under.clock));
      kinds.add(fault);
      expect({ at, fault }).toEqual({ at, fault: trouble === 'unplug' ? 'unplugged' : 'timeout' });
      await under.device.plugIn();
      expect({ at, after: faultOf(await talk(under)) }).toEqual({ at, after: 'none' });
    }
    expect(kinds.size).toBe(1);
  });

  it('a pause that a device may take changes nothing', async () => {
    let [late, passed] = [0, 0];
    const under = await testDevice({
      ...guarded,
      trouble({ direction }) {
        if (direction === 'in') return undefined;
        late += 1;
        return { delayMs: 40_000 };
      },
    });
    let end: string | undefined;
    void talk(under).then((step) => {
      end = faultOf(step);
    });
    while (end === undefined) {
      await settled();
      if (late === passed) continue;
      passed += 1;
      await under.clock.advance(40_000);
    }
    expect(end).toBe('none');
  });

  it.each<readonly [string, (reports: readonly Uint8Array[]) => readonly Uint8Array[], DeviceFaultKind]>([
    ['cut off', (reports) => reports.map((report) => report.subarray(0, 40)), 'garbled'],
    ['too long', (reports) => reports.map((report) => Uint8Array.of(...report, 0)), 'garbled'],
    ['other bytes', (reports) => reports.map((report) => report.map((byte) => byte ^ 0x55)), 'garbled'],
    [
      'of a type that nobody asked for',
      () => reportsOf({ type: 9999, payload: new Uint8Array(3) }),
      'unexpectedMessage',
    ],
    ['without its fields', (reports) => [(reports[0] ?? new Uint8Array(64)).fill(0, 5, 9)], 'garbled'],
  ])('an answer that is %s', async (_, datagrams, expected) => {
    const answers = [MESSAGE.publicKey, MESSAGE.ethereumPublicKey, MESSAGE.ethereumAddress, MESSAGE.ethereumTxRequest];
    for (const type of answers) {
      const trouble = (seen: DeviceTraffic): DeviceTrouble | undefined =>
        seen.type === type ? { datagrams } : undefined;
      const under = await testDevice({ ...guarded, trouble });
      expect(faultOf(await talk(under))).toBe(expected);
    }
  });

  it('an answer that came twice is not mistaken for the next one', async () => {
    const under = await testDevice({
      trouble: ({ type }) =>
        type === MESSAGE.ethereumAddress ? { datagrams: (reports) => [...reports, ...reports] } : undefined,
    });
    const session = got(await under.wallet.connect());
    expect(got(await session.address({ path: PATH }))).toBe(ADDRESS);
    await settled();
    expect(faultOf(await session.address({ path: "m/44'/60'/0'/0/1" }))).toBe('unplugged');
  });

  it.each(["m/44'/60'/1'", "m/0'"])('the key of another path is not mistaken for that of %s', async (path) => {
    let taken: readonly Uint8Array[] | undefined;
    const under = await testDevice({
      trouble: ({ type }) =>
        type === MESSAGE.ethereumPublicKey ? { datagrams: (reports) => (taken ??= reports) } : undefined,
    });
    const session = got(await under.wallet.connect());
    got(await session.publicKey({ path: "m/44'/60'/0'" }));
    expect(faultOf(await session.publicKey({ path }))).toBe('garbled');
  });
});

type Scripted = {
  readonly wallet: HardwareWallet;
  /** Pulls the cable, of which the link tells. */
  readonly lose: () => void;
  readonly clock: VirtualClock;
  /** Types of the messages that were sent to the device. */
  readonly sent: readonly number[];
};

/** A device in memory that answers with whatever it is told, then is silent. */
function scripted(answers: readonly (readonly Uint8Array[])[]): Scripted {
  const clock = virtualClock();
  const sent: number[] = [];
  let left = [...answers];
  let listener: LinkListener | undefined;
  const find = async () => {
    const assembler = createAssembler(100_000);
    return {
      listen: (given: LinkListener) => {
        listener = given;
      },
      send(reports: readonly Uint8Array[]) {
        for (const report of reports) {
          const taken = assembler.take(report);
          if (taken.kind !== 'message') continue;
          sent.push(taken.message.type);
          const [answer = [], ...rest] = left;
          left = rest;
          queueMicrotask(() => {
            for (const datagram of answer) listener?.report(datagram);
          });
        }
      },
      look: () => {},
      close: async () => {},
    };
  };
  const lose = () => listener?.lost();
  return { clock, sent, lose, wallet: createTrezorWallet({ clock, find, answerMs: 3000, userMs: 5000 }) };
}

const message = (type: number, payload: Uint8Array): readonly Uint8Array[] => reportsOf({ type, payload });
const failure = (code: number, text: string) =>
  message(MESSAGE.failure, messageWriter().number(1, code).text(2, text).done());
const XPUB = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS)).derive("m/44'/141'/2147483647/0/0").publicExtendedKey;
const GOOD_KEY = message(MESSAGE.publicKey, messageWriter().text(2, XPUB).done());
const FEATURES = message(MESSAGE.features, messageWriter().text(10, 'x').done());

describe('R2: whatever a device sends', () => {
  const types = fc.oneof(fc.constantFrom(...Object.values(MESSAGE)), fc.nat({ max: 0xffff }));
  const anyField = fc.oneof(
    fc
      .tuple(fc.integer({ min: 1, max: 12 }), fc.nat({ max: 1100 }))
      .map(([field, value]) => messageWriter().number(field, value).done()),
    fc
      .tuple(fc.integer({ min: 1, max: 12 }), fc.uint8Array({ maxLength: 40 }))
      .map(([field, value]) => messageWriter().bytes(field, value).done()),
    fc.uint8Array({ maxLength: 6 }),
  );
  const payload = fc
    .array(anyField, { maxLength: 4 })
    .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));
  const sound = fc.tuple(types, payload).map(([type, bytes]): WireMessage => ({ type, payload: bytes }));
  const datagrams = fc.oneof(
    { weight: 6, arbitrary: sound.map((whole) => message(whole.type, whole.payload)) },
    {
      weight: 1,
      arbitrary: sound.map((whole) => message(whole.type, whole.payload).map((report) => report.subarray(0, 20))),
    },
    { weight: 1, arbitrary: fc.array(fc.uint8Array({ maxLength: 70 }), { maxLength: 3 }) },
    {
      weight: 1,
      arbitrary: fc.tuple(sound, sound).map((two) => two.flatMap((one) => [...message(one.type, one.payload)])),
    },
  );
  const start = fc.constantFrom<readonly (readonly Uint8Array[])[]>([], [FEATURES], [FEATURES, GOOD_KEY]);
  const script = fc.tuple(start, fc.array(datagrams, { maxLength: 12 })).map(([begin, rest]) => [...begin, ...rest]);

  const KNOWN: readonly (DeviceFaultKind | 'done')[] = [
    ...(['done', 'wrongDevice', 'pinInvalid', 'cancelled', 'unplugged', 'timeout', 'unexpectedMessage'] as const),
    ...(['garbled', 'notInitialized', 'refused', 'signatureInvalid'] as const),
  ];

  it('each request ends: done, or in a fault of a known kind', async () => {
    const ends = new Set<string>();
    const run = fc.asyncProperty(
      script,
      fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 8 }),
      async (answers, moods) => {
        const { wallet, clock } = scripted(answers);
        let mood = 0;
        const answer = async <T>(step: DeviceStep<T>): Promise<DeviceStep<T>> => {
          let now = step;
          while (now.kind !== 'done' && now.kind !== 'failed') {
            const turn = moods[mood++ % moods.length];
            if (turn === 0) now = await now.cancel();
            else if (now.kind === 'button') now = await now.proceed();
            else now = await now.enter(new Secret('12'));
          }
          const end = now.kind === 'failed' ? now.fault.kind : 'done';
          expect(KNOWN).toContain(end);
          ends.add(end);
          return now;
        };
        const all = async () => {
          const connected = await answer(await wallet.connect());
          if (connected.kind !== 'done') return;
          const session = connected.value;
          await answer(await session.ping());
          await answer(await session.publicKey({ path: "m/44'/60'/0'" }));
          await answer(await session.address({ path: PATH }));
          await answer(
            await session.signTransaction({ path: PATH, from: ADDRESS, transaction: { ...LEGACY, data: DATA } }),
          );
          await session.close();
        };
        await passUntil(all(), clock);
      },
    );
    await fc.assert(run, { numRuns: draws({ sample: 60, change: 200, release: 400 }) });
    // How many of them are reached depends on what is drawn: it is counted where that is always the same.
    ends.clear();
    await fc.assert(run, { numRuns: 400, seed: 1 });
    expect(ends.size).toBeGreaterThanOrEqual(6);
  });

  it('a device that asks without end is left', async () => {
    const ask = message(MESSAGE.buttonRequest, new Uint8Array(0));
    const { wallet } = scripted([FEATURES, ...Array.from({ length: 1500 }, () => ask)]);
    let step = await wallet.connect();
    let count = 0;
    for (; step.kind === 'button'; count++) step = await step.proceed();
    expect({ count, fault: faultOf(step) }).toEqual({ count: 1000, fault: 'unexpectedMessage' });
  });

  it('nothing is sent any more once the session is over', async () => {
    const { wallet, sent } = scripted([FEATURES, GOOD_KEY, [new Uint8Array(3)]]);
    const session = got(await wallet.connect());
    expect(faultOf(await session.ping())).toBe('garbled');
    const before = [...sent];
    expect(before).toEqual([MESSAGE.initialize, MESSAGE.getPublicKey, MESSAGE.ping]);
    expect(faultOf(await session.address({ path: PATH }))).toBe('unplugged');
    await session.cancel();
    await session.close();
    expect(sent).toEqual(before);
  });

  it.each([
    ['more than is left', 77],
    ['more than fits', 1025],
  ])('a request for %s data is not fulfilled', async (_, count) => {
    const wish = message(MESSAGE.ethereumTxRequest, messageWriter().number(1, count).done());
    const { wallet, sent } = scripted([FEATURES, GOOD_KEY, wish, wish]);
    const session = got(await wallet.connect());
    const transaction = { ...LEGACY, data: new Uint8Array(count === 77 ? 1100 : 5000) };
    expect(faultOf(await session.signTransaction({ path: PATH, from: ADDRESS, transaction }))).toBe('garbled');
    expect(sent.at(-1)).toBe(MESSAGE.ethereumSignTx);
  });

  it('a device that talks without end is left', async () => {
    const many = Array.from({ length: 40 }, () => message(MESSAGE.success, new Uint8Array(0))).flat();
    const { wallet } = scripted([FEATURES, [...GOOD_KEY, ...many]]);
    const session = got(await wallet.connect());
    expect(faultOf(await session.ping())).toBe('unplugged');
  });
});

describe('R3: what a user enters', () => {
  it('is in no step, session, fault or error, even if the device repeats it', async () => {
    const { wallet } = scripted([
      FEATURES,
      message(MESSAGE.pinMatrixRequest, new Uint8Array(0)),
      message(MESSAGE.passphraseRequest, new Uint8Array(0)),
      failure(9, 'the PIN was 7351, the passphrase opensesame'),
    ]);
    const shown: string[] = [];
    let step = await wallet.connect();
    const show = (value: unknown) =>
      shown.push(inspect(value, { depth: null, showHidden: true }), JSON.stringify(value) ?? '', String(value));
    for (const entered of ['7351', 'opensesame']) {
      show(step);
      if (step.kind === 'pin' || step.kind === 'passphrase') step = await step.enter(new Secret(entered));
    }
    show(step);
    expect(step).toEqual({
      kind: 'failed',
      fault: { kind: 'refused', message: 'The device refused with code 9.', failureCode: 9 },
    });
    if (step.kind === 'failed') show(new DeviceError(step.fault));
    expect(shown.join('\n')).not.toMatch(/7351|opensesame/);
  });

  it('stays hidden in a device of this package too', async () => {
    const { device, wallet, traffic } = await testDevice(guarded);
    const session = got(await follow(await wallet.connect(), device));
    const shown = [device, session, traffic, device.screen()].map((value) =>
      inspect(value, { depth: null, showHidden: true }),
    );
    for (const secret of [PIN, PASSPHRASE, 'abandon']) expect(shown.join('\n')).not.toContain(secret);
  });
});

describe('a refusal', () => {
  const names: readonly (readonly [number | undefined, DeviceFaultKind, string])[] = [
    [1, 'unexpectedMessage', 'UnexpectedMessage'],
    [2, 'refused', 'ButtonExpected'],
    [3, 'refused', 'DataError'],
    [4, 'cancelled', 'UserCancelled'],
    [5, 'refused', 'PinExpected'],
    [6, 'cancelled', 'UserCancelled'],
    [7, 'pinInvalid', 'InvalidPin'],
    [8, 'signatureInvalid', 'InvalidSignature'],
    [9, 'refused', 'ProcessError'],
    [10, 'refused', 'NotEnoughFunds'],
    [11, 'notInitialized', 'NotInitialized'],
    [12, 'pinInvalid', 'InvalidPin'],
    [13, 'refused', 'WipeCodeMismatch'],
    [14, 'refused', 'InvalidSession'],
    [15, 'busy', 'ProcessError'],
    [99, 'refused', 'FirmwareError'],
    [77, 'refused', 'FailureMessageNotFound'],
    [undefined, 'refused', 'FailureMessageNotFound'],
  ];
  it.each(names)('with code %s is %s, and has the name %s in the trading framework', (code, kind, name) => {
    const fault = faultOfFailure(code);
    expect([fault.kind, hwErrorName(fault)]).toEqual([kind, name]);
  });
});

describe('R2: a transaction in pieces', () => {
  const wish = (count: number) => message(MESSAGE.ethereumTxRequest, messageWriter().number(1, count).done());
  const button = message(MESSAGE.buttonRequest, new Uint8Array(0));
  const outcome = async (answers: readonly (readonly Uint8Array[])[]) => {
    const { wallet, sent } = scripted([FEATURES, GOOD_KEY, ...answers]);
    const session = got(await wallet.connect());
    const request = { path: PATH, from: ADDRESS, transaction: { ...TRANSACTION, data: new Uint8Array(9000) } };
    let step: DeviceStep<unknown> = await session.signTransaction(request);
    while (step.kind === 'button') step = await step.proceed();
    return { fault: faultOf(step), pieces: sent.filter((type) => type === MESSAGE.ethereumTxAck).length };
  };

  it('is not sent to a device in tiny pieces', async () => {
    const { fault, pieces } = await outcome(Array.from({ length: 8000 }, () => wish(1)));
    expect(fault).toBe('garbled');
    expect(pieces).toBe(16);
  });

  it('also serves a device with pieces of another length', async () => {
    const { fault, pieces } = await outcome([...Array.from({ length: 12 }, () => wish(664)), wish(8), wish(1)]);
    expect([fault, pieces]).toEqual(['garbled', 13]);
  });

  it('does not give a device more questions than another request', async () => {
    const questions = Array.from({ length: 400 }, () => button);
    const { fault, pieces } = await outcome([...questions, wish(1024), ...questions, wish(1024), ...questions]);
    expect([fault, pieces]).toEqual(['unexpectedMessage', 2]);
  });
});

describe('names of faults', () => {
  const KINDS: Readonly<Record<DeviceFaultKind, true>> = {
    ...{ noDevice: true, wrongDevice: true, pinInvalid: true, cancelled: true, unplugged: true, timeout: true },
    ...{ busy: true, unexpectedMessage: true, garbled: true, notInitialized: true, refused: true },
    ...{ signatureInvalid: true, unsupported: true },
  };
  const kinds = Object.keys(KINDS) as DeviceFaultKind[];

  it.each(kinds)('%s has one that a task can tell, with each code and without', (kind) => {
    for (const failureCode of [undefined, ...Array.from({ length: 256 }, (_, code) => code)]) {
      const fault = { kind, message: '', ...(failureCode === undefined ? {} : { failureCode }) };
      const told = hwErrorOf(hwErrorName(fault));
      expect(told, `${kind} ${failureCode}`).not.toBeNull();
      expect(taskError.parse(activationError('HwError', told as HwErrorName)).error).not.toBe('');
    }
  });

  it('is none for an invalid text', () => {
    for (const name of ['', 'Nonsense', 'toString', null, 7, {}]) expect(hwErrorOf(name)).toBeNull();
  });
});

describe('following the questions', () => {
  const user = { pin: async () => new Secret('1'), passphrase: async () => new Secret('') };

  it('gives the value', async () => {
    const { wallet } = scripted([FEATURES, message(MESSAGE.buttonRequest, new Uint8Array(0)), GOOD_KEY]);
    let told = 0;
    const session = await followDevice(await wallet.connect(), { ...user, button: () => void told++ });
    expect({ label: session.device.label, told }).toEqual({ label: 'x', told: 1 });
  });

  it('cancels if the user does not answer, and says so', async () => {
    const { wallet } = scripted([FEATURES, message(MESSAGE.pinMatrixRequest, new Uint8Array(0)), failure(6, '')]);
    const following = followDevice(await wallet.connect(), { ...user, pin: async () => null });
    await expect(following).rejects.toMatchObject({ code: 'DEVICE_CANCELLED', fault: { failureCode: 6 } });
  });

  it('cancels if the user’s own part fails, and reports that', async () => {
    const { wallet, clock } = scripted([
      FEATURES,
      message(MESSAGE.passphraseRequest, new Uint8Array(0)),
      failure(4, ''),
    ]);
    const broken = async () => Promise.reject(new Error('no keyboard'));
    await expect(followDevice(await wallet.connect(), { ...user, passphrase: broken })).rejects.toThrow('no keyboard');
    expect(faultOf(await passUntil(wallet.connect(), clock))).toBe('timeout');
  });

  it.each(['pin', 'passphrase', 'button'] as const)(
    'waits for no answer to the %s of a device whose link is lost',
    async (asks) => {
      const types = {
        pin: MESSAGE.pinMatrixRequest,
        passphrase: MESSAGE.passphraseRequest,
        button: MESSAGE.buttonRequest,
      };
      const { wallet, clock, lose } = scripted([FEATURES, message(types[asks], new Uint8Array(0))]);
      const never = () => new Promise<never>(() => {});
      const following = followDevice(await wallet.connect(), { pin: never, passphrase: never });
      await settled();
      lose();
      // The clock stands still: it is the link that tells.
      await expect(following).rejects.toMatchObject({ code: 'DEVICE_UNPLUGGED' });
      expect(clock.armed()).toBe(0);
      expect(faultOf(await passUntil(wallet.connect(), clock))).toBe('timeout');
    },
  );

  it('says what to do next', () => {
    const fault = faultOfFailure(7);
    expect(new DeviceError(fault).message).toMatchInlineSnapshot(`
      "[DEVICE_PIN_INVALID] The device rejected the PIN.

        failureCode  7

      Enter the positions of the digits, not the digits: 7 is the upper left one.

      Docs: docs/reference/errors.md#device_pin_invalid"
    `);
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await settled();
}
