import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { describe, expect, it } from 'vitest';
import {
  type DeviceTraffic,
  type DeviceTrouble,
  placesOf,
  type SimulatedDeviceOptions,
} from '../../../../../src/hardware/simulator/index.ts';
import { MESSAGE } from '../../../../../src/hardware/trezor/message-types.ts';
import { messageWriter } from '../../../../../src/hardware/trezor/protobuf.ts';
import { reportsOf } from '../../../../../src/hardware/trezor/reports.ts';
import { DeviceKeys, ownKeys } from '../../../../../src/node/evm/wallets/account-keys.ts';
import { DeviceFailure } from '../../../../../src/node/evm/wallets/device-session.ts';
import type { EvmActivationTalk } from '../../../../../src/ports/evm-activator.ts';
import { Secret } from '../../../../../src/primitives/secret.ts';
import { Ended, type TalkDouble, talkDouble } from '../../../../support/evm-wallets/talk-double.ts';
import { OTHER_WORDS, PIN, passUntil, type TestDevice, testDevice, WORDS } from '../../../../support/hardware.ts';
import { settled } from '../../../../support/virtual-clock.ts';

const ACCOUNT = "m/44'/60'/2'";
const unknown = async () => false;

function xpubOf(words: string, passphrase = ''): string {
  return HDKey.fromMasterSeed(mnemonicToSeedSync(words, passphrase)).derive(ACCOUNT).publicExtendedKey;
}

/** Its user enters the PIN by the places that are shown. */
function user({ device }: TestDevice, { pin = PIN, passphrase = '' } = {}): TalkDouble {
  return talkDouble((what) => {
    if (what === 'TrezorPassphrase') return new Secret(passphrase);
    const screen = device.screen();
    return new Secret(screen.kind === 'pin' ? placesOf(pin, screen.grid) : '5');
  });
}

async function bench(changes: Partial<SimulatedDeviceOptions> = {}, { waitMs = 300_000, asksNothing = false } = {}) {
  const asks = asksNothing ? {} : { pin: new Secret(PIN), passphrase: true };
  const test = await testDevice({ ...asks, ...changes });
  const keys = new DeviceKeys({ device: test.wallet, waitMs });
  /** While time passes; without it, only what comes over the wire does. */
  const within = async <T>(promise: Promise<T>): Promise<T> => {
    await passUntil(
      promise.then(
        () => undefined,
        () => undefined,
      ),
      test.clock,
    );
    return promise;
  };
  const typesOf = (from = 0) => test.traffic.slice(from).map(({ type }) => type);
  return { test, keys, within, typesOf };
}

/** The device is free: another one may begin a session. */
async function isFree({ wallet, clock }: TestDevice): Promise<boolean> {
  const step = await passUntil(wallet.connect(), clock);
  return step.kind !== 'failed' || step.fault.kind !== 'busy';
}

const nameOf = (error: unknown) => (error instanceof DeviceFailure ? error.fault : error);

describe('the key of an account in a device', () => {
  it('is read after PIN and passphrase, and the task is at its first step again', async () => {
    const { test, keys } = await bench();
    const talk = user(test, { passphrase: 'hidden' });
    const account = await keys.account({ path: ACCOUNT, isKnown: unknown, talk });
    expect(account).toEqual({ wallet: expect.stringMatching(/^[0-9a-f]{40}$/), xpub: xpubOf(WORDS, 'hidden') });
    expect(talk.said).toEqual(['TrezorPin', 'TrezorPassphrase', 'ActivatingCoin']);
    expect(await isFree(test)).toBe(true);
  });

  it('is not requested if the account is known, not even from the device', async () => {
    const { test, keys, typesOf } = await bench();
    const first = await keys.account({ path: ACCOUNT, isKnown: async () => true, talk: user(test) });
    expect(first.xpub).toBeNull();
    expect(typesOf()).not.toContain(MESSAGE.ethereumGetPublicKey);
    const until = test.traffic.length;
    const talk = user(test);
    const isKnown = async (wallet: string) => wallet === first.wallet;
    expect(await keys.account({ path: ACCOUNT, isKnown, talk })).toEqual(first);
    // The end of the session before may arrive late.
    expect(typesOf(until).filter((type) => type !== MESSAGE.endSession && type !== MESSAGE.success)).toEqual([]);
    expect(talk.said).toEqual([]);
  });

  it('is not taken from another device or passphrase than before, until it is forgotten', async () => {
    const { test, keys } = await bench({ pin: new Secret('1') });
    const asked = (passphrase: string) =>
      keys.account({ path: ACCOUNT, isKnown: unknown, talk: user(test, { pin: '1', passphrase }) });
    const hold = keys.hold();
    const again = keys.hold();
    const first = await asked('one');
    await expect(asked('two')).rejects.toSatisfy((error) => {
      expect(nameOf(error)).toEqual({ type: 'HwError', data: 'FoundUnexpectedDevice' });
      return true;
    });
    expect(await asked('one')).toEqual(first);
    hold();
    again();
    expect((await asked('two')).wallet).not.toBe(first.wallet);
  });

  it('is of the configured device alone', async () => {
    const { test } = await bench({ words: new Secret(OTHER_WORDS), pin: new Secret('1') });
    const keys = new DeviceKeys({ device: test.wallet, waitMs: 0, key: '24'.repeat(20) });
    const talk = user(test, { pin: '1' });
    const asked = keys.account({ path: ACCOUNT, isKnown: unknown, talk });
    await expect(asked.catch((error: unknown) => Promise.reject(nameOf(error)))).rejects.toEqual({
      type: 'HwError',
      data: 'FoundUnexpectedDevice',
    });
    const known = await keys.account({ path: ACCOUNT, isKnown: async () => true, talk: user(test) });
    expect(known).toEqual({ wallet: '24'.repeat(20), xpub: null });
  });
});

describe('a device that two activations need at once', () => {
  it('serves one after the other, and the later one only as the wallet that the first one found', async () => {
    const { test, keys, typesOf } = await bench();
    const holds = [keys.hold(), keys.hold(), keys.hold()];
    const asked = (passphrase: string, talk = user(test, { passphrase })) =>
      keys.account({ path: ACCOUNT, isKnown: unknown, talk }).catch(nameOf);
    const [first, other, again] = await Promise.all([asked('one'), asked('two'), asked('one')]);
    expect(first).toMatchObject({ xpub: xpubOf(WORDS, 'one') });
    expect([other, again]).toEqual([{ type: 'HwError', data: 'FoundUnexpectedDevice' }, first]);
    // Each session begins anew.
    expect(typesOf().filter((type) => type === MESSAGE.initialize)).toHaveLength(3);
    expect(await isFree(test)).toBe(true);
    for (const leave of holds) leave();
  });

  it('is not asked for what the first one found, and one that has ended does not wait for it', async () => {
    const { test, keys, typesOf } = await bench();
    const known = new Set<string>();
    const isKnown = async (wallet: string) => known.has(wallet);
    const waits = talkDouble(() => undefined);
    const first = keys.account({ path: ACCOUNT, isKnown: unknown, talk: waits });
    first.catch(() => undefined);
    while (!waits.said.includes('TrezorPin')) await settled();
    const ended = user(test);
    const second = keys.account({ path: ACCOUNT, isKnown: unknown, talk: ended }).catch((error: unknown) => error);
    const third = keys.account({ path: ACCOUNT, isKnown, talk: user(test) });
    await settled();
    ended.end();
    expect(await second).toBeInstanceOf(Error);
    expect(ended.said).toEqual([]);
    waits.end();
    await expect(first).rejects.toBeInstanceOf(Ended);
    const { wallet, xpub } = await third;
    expect(xpub).toBe(xpubOf(WORDS));
    known.add(wallet);
    const before = typesOf().filter((type) => type === MESSAGE.initialize).length;
    const hold = keys.hold();
    const fourth = await keys.account({ path: ACCOUNT, isKnown: unknown, talk: user(test) });
    const [fifth, sixth] = await Promise.all([
      keys.account({ path: ACCOUNT, isKnown, talk: user(test) }),
      keys.account({ path: ACCOUNT, isKnown, talk: user(test) }),
    ]);
    expect([fourth.wallet, fifth, sixth]).toEqual([wallet, { wallet, xpub: null }, { wallet, xpub: null }]);
    expect(typesOf().filter((type) => type === MESSAGE.initialize)).toHaveLength(before + 1);
    hold();
  });
});

/** Its user cancels in place of the key. */
function deny({ direction, type }: DeviceTraffic): DeviceTrouble | undefined {
  if (direction !== 'out' || type !== MESSAGE.publicKey) return undefined;
  return { datagrams: () => reportsOf({ type: MESSAGE.failure, payload: messageWriter().number(1, 4).done() }) };
}

describe('a device that does not do what it is asked', () => {
  it.each([
    ['with a wrong PIN', { pin: new Secret('9999') }, 'InvalidPin'],
    ['that is denied on the device', { trouble: deny }, 'UserCancelled'],
  ])('%s is reported by name, and released', async (_, changes, name) => {
    const { test, keys, within } = await bench(changes);
    const talk = user(test);
    const asked = within(keys.account({ path: ACCOUNT, isKnown: unknown, talk })).catch(nameOf);
    expect(await asked).toEqual({ type: 'HwError', data: name });
    expect(talk.said.at(-1)).toBe('ActivatingCoin');
    expect(await isFree(test)).toBe(true);
  });

  it('because its cable was pulled is reported as gone', async () => {
    const { test, keys, within } = await bench();
    const talk = talkDouble((what) => {
      if (what === 'TrezorPin') void test.device.unplug();
      return new Secret('5');
    });
    const asked = within(keys.account({ path: ACCOUNT, isKnown: unknown, talk })).catch(nameOf);
    expect(await asked).toEqual({ type: 'HwError', data: 'DeviceDisconnected' });
  });

  it('because its cable was pulled while it waits for a PIN is reported as gone within a second', async () => {
    const { test, keys } = await bench();
    const talk: EvmActivationTalk = {
      signal: new AbortController().signal,
      async tell() {},
      ask: () => new Promise(() => {}),
    };
    const asked = keys.account({ path: ACCOUNT, isKnown: unknown, talk }).catch(nameOf);
    while (test.device.screen().kind !== 'pin') await settled();
    // A user may take his time.
    await test.clock.advance(200_000);
    await test.device.unplug();
    await test.clock.advance(1000);
    expect(await asked).toEqual({ type: 'HwError', data: 'DeviceDisconnected' });
    expect(test.clock.armed()).toBe(0);
    await test.device.plugIn();
    expect(await isFree(test)).toBe(true);
  });

  it('that is absent is waited for as long as requested', async () => {
    const { test, keys, within } = await bench({}, { waitMs: 300_000 });
    await test.device.unplug();
    const talk = user(test);
    const asked = within(keys.account({ path: ACCOUNT, isKnown: unknown, talk })).catch(nameOf);
    expect(await asked).toEqual({ type: 'HwError', data: 'NoTrezorDeviceAvailable' });
    expect(talk.said).toEqual(['WaitingForDeviceToConnect', 'ActivatingCoin']);
    const impatient = await bench({}, { waitMs: 0 });
    await impatient.test.device.unplug();
    const silent = user(impatient.test);
    const none = impatient
      .within(impatient.keys.account({ path: ACCOUNT, isKnown: unknown, talk: silent }))
      .catch(nameOf);
    expect(await none).toEqual({ type: 'HwError', data: 'NoTrezorDeviceAvailable' });
    expect(silent.said).toEqual([]);
  });

  it('is found once it is plugged in', async () => {
    const { test, keys, within } = await bench({ passphrase: false });
    await test.device.unplug();
    const talk = user(test);
    const asked = keys.account({ path: ACCOUNT, isKnown: unknown, talk });
    while (talk.said.length === 0) await settled();
    await test.device.plugIn();
    await test.clock.advance(1000);
    expect((await within(asked)).xpub).toBe(xpubOf(WORDS));
    expect(talk.said).toEqual(['WaitingForDeviceToConnect', 'TrezorPin', 'ActivatingCoin']);
  });
});

describe('J32: when the work has ended', () => {
  it.each(['TrezorPin', 'TrezorPassphrase'] as const)(
    'while its user is asked for %s, the device is free',
    async (where) => {
      const { test, keys, within } = await bench();
      const screen = () => test.device.screen();
      const talk = talkDouble((what) => {
        const shown = screen();
        return what === where || shown.kind !== 'pin' ? undefined : new Secret(placesOf(PIN, shown.grid));
      });
      const asked = keys.account({ path: ACCOUNT, isKnown: unknown, talk }).catch((error: unknown) => error);
      while (!talk.said.includes(where)) {
        await settled();
      }
      talk.end();
      expect(await within(asked)).toBeInstanceOf(Ended);
      expect(talk.said.at(-1)).toBe(where);
      expect(await isFree(test)).toBe(true);
    },
  );

  it.each(['before the device is known', 'after that'] as const)(
    'while the device thinks, %s, it is free at once',
    async (when) => {
      const type = when === 'after that' ? MESSAGE.ethereumGetPublicKey : MESSAGE.getPublicKey;
      const trouble = (seen: DeviceTraffic) => (seen.type === type ? ('lose' as const) : undefined);
      const { test, keys } = await bench({ trouble }, { asksNothing: true });
      const talk = user(test);
      const asked = keys.account({ path: ACCOUNT, isKnown: unknown, talk }).catch((error: unknown) => error);
      while (!test.traffic.some((seen) => seen.type === type)) await settled();
      talk.end();
      // No time passes.
      expect(await asked).toBeInstanceOf(DeviceFailure);
      expect(await isFree(test)).toBe(true);
    },
  );
});

describe('the key of an account of the node itself', () => {
  it('is derived if the account is not known', async () => {
    const paths: string[] = [];
    const keys = ownKeys('57'.repeat(20), (path) => {
      paths.push(path);
      return 'xpub';
    });
    const talk = talkDouble(() => undefined);
    const asked = (known: boolean) => keys.account({ path: ACCOUNT, isKnown: async () => known, talk });
    expect(await asked(true)).toEqual({ wallet: '57'.repeat(20), xpub: null });
    expect(await asked(false)).toEqual({ wallet: '57'.repeat(20), xpub: 'xpub' });
    expect([paths, talk.said]).toEqual([[ACCOUNT], []]);
  });
});
