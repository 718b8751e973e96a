import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { mnemonicToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { placesOf } from '../../../../src/hardware/simulator/index.ts';
import { keyHash } from '../../../../src/hardware/trezor/keys.ts';
import { MESSAGE } from '../../../../src/hardware/trezor/message-types.ts';
import { createTrezorWallet } from '../../../../src/hardware/trezor/wallet.ts';
import { walletOfWords } from '../../../../src/node/hd-keys.ts';
import type { DeviceStep } from '../../../../src/ports/hardware-wallet.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import {
  faultOf,
  follow,
  got,
  OTHER_WORDS,
  PASSPHRASE,
  PATH,
  PIN,
  passUntil,
  TRANSACTION,
  testDevice,
  WORDS,
} from '../../../support/hardware.ts';
import { settled, virtualClock } from '../../../support/virtual-clock.ts';

const ADDRESS = mnemonicToAccount(WORDS).address;

describe('connecting', () => {
  it('reads the device and the key that the trading framework knows it by', async () => {
    const { wallet } = await testDevice({ label: 'mine', model: '1', id: 'AB12' });
    const session = got(await wallet.connect());
    const key = keyHash(walletOfWords(new Secret(WORDS)).coins.key);
    expect(session.device).toEqual({ id: 'AB12', label: 'mine', model: '1', key });
    await session.close();
  });

  it('R4: refuses another device than the wanted one, and leaves it free', async () => {
    const { wallet } = await testDevice();
    const [own, other] = [WORDS, OTHER_WORDS].map((words) => keyHash(walletOfWords(new Secret(words)).coins.key));
    expect(faultOf(await wallet.connect({ key: other ?? '' }))).toBe('wrongDevice');
    const session = got(await wallet.connect({ key: own ?? '' }));
    await session.close();
  });

  it('R4: treats a device under another passphrase as another one', async () => {
    const { wallet, device } = await testDevice({ passphrase: true });
    const hidden = got(await follow(await wallet.connect(), device));
    const { key } = hidden.device;
    await hidden.close();
    const again = await follow(await wallet.connect({ key }), device, { passphrase: 'another' });
    expect(faultOf(again)).toBe('wrongDevice');
    got(await follow(await wallet.connect({ key }), device));
  });

  it('says at once that no device is there', async () => {
    const wallet = createTrezorWallet({ clock: virtualClock(), port: 9 });
    expect(faultOf(await wallet.connect())).toBe('noDevice');
  });

  it('waits for a device as long as it may, and no longer', async () => {
    const { device, wallet, clock } = await testDevice();
    await device.unplug();
    const short = wallet.connect({ waitMs: 3000 });
    expect(faultOf(await passUntil(short, clock))).toBe('noDevice');
    const before = clock.now();
    const long = wallet.connect({ waitMs: 300_000 });
    await settled();
    await device.plugIn();
    got(await passUntil(long, clock));
    expect(clock.now() - before).toBeLessThan(300_000);
  });

  it('stops looking on request', async () => {
    const { device, wallet, clock } = await testDevice();
    await device.unplug();
    const stop = new AbortController();
    const looking = wallet.connect({ waitMs: 300_000, signal: stop.signal });
    await settled();
    stop.abort();
    expect(faultOf(await looking)).toBe('cancelled');
    expect(clock.armed()).toBe(0);
  });

  it.each(['pin', 'passphrase'] as const)(
    'ends the session that it is opening when it is told to, while a %s is asked for',
    async (what) => {
      const { device, wallet, traffic } = await testDevice({ pin: new Secret(PIN), passphrase: true });
      const ended = () => traffic.filter(({ type }) => type === MESSAGE.endSession).length;
      const stop = new AbortController();
      let step: DeviceStep<unknown> = await wallet.connect({ signal: stop.signal });
      while (step.kind !== what && (step.kind === 'pin' || step.kind === 'passphrase')) {
        const screen = device.screen();
        step = await step.enter(new Secret(screen.kind === 'pin' ? placesOf(PIN, screen.grid) : PASSPHRASE));
      }
      stop.abort();
      await until(() => ended() === 1);
      // The device is free at once, and the old question can be answered no more.
      expect(step.kind === what ? faultOf(await step.enter(new Secret('1'))) : step.kind).toBe('cancelled');
      got(await follow(await wallet.connect(), device));
    },
  );

  it('ends the session that it is opening when it is told to, while the device is silent', async () => {
    const { wallet, traffic } = await testDevice({
      trouble: ({ type }) => (type === MESSAGE.publicKey ? 'lose' : undefined),
    });
    const stop = new AbortController();
    const connecting = wallet.connect({ signal: stop.signal });
    await until(() => traffic.some(({ type }) => type === MESSAGE.publicKey));
    await settled();
    stop.abort();
    expect(faultOf(await connecting)).toBe('cancelled');
    await until(() => traffic.some(({ type }) => type === MESSAGE.endSession));
  });

  it('leaves an established session alone when it is told to stop afterwards', async () => {
    const { wallet } = await testDevice();
    const stop = new AbortController();
    const session = got(await wallet.connect({ signal: stop.signal }));
    stop.abort();
    got(await session.ping());
    expect(faultOf(await wallet.connect())).toBe('busy');
  });

  it('takes over from a host that went away in the middle of a question', async () => {
    const { device, wallet, clock } = await testDevice({ pin: new Secret(PIN) });
    expect((await wallet.connect()).kind).toBe('pin');
    const heir = createTrezorWallet({ clock, port: device.port });
    got(await follow(await heir.connect(), device));
  });
});

describe('the PIN', () => {
  it('is entered by its places in a grid that changes', async () => {
    const { wallet, device } = await testDevice({ pin: new Secret(PIN) });
    const grids = new Set<string>();
    for (let count = 0; count < 4; count++) {
      const step = await wallet.connect();
      const screen = device.screen();
      if (screen.kind === 'pin') grids.add(screen.grid.join('/'));
      if (step.kind === 'pin') expect(faultOf(await step.cancel())).toBe('cancelled');
    }
    expect(grids.size).toBe(4);
    got(await follow(await wallet.connect(), device));
  });

  it('that is wrong is reported, and the next try is a new connection', async () => {
    const { wallet, device } = await testDevice({ pin: new Secret(PIN) });
    expect(faultOf(await follow(await wallet.connect(), device, { pin: '1' }))).toBe('pinInvalid');
    got(await follow(await wallet.connect(), device));
  });

  it.each(['', '0', '12a', '1'.repeat(51)])('%j is never sent, as it would cost a try', async (places) => {
    const { wallet, traffic } = await testDevice({ pin: new Secret(PIN) });
    const step = await wallet.connect();
    expect(step.kind === 'pin' ? faultOf(await step.enter(new Secret(places))) : step.kind).toBe('pinInvalid');
    expect(traffic.filter(({ type }) => type === MESSAGE.pinMatrixAck)).toEqual([]);
  });

  it('that is wrong 16 times wipes the device', async () => {
    const { wallet, device } = await testDevice({ pin: new Secret(PIN) });
    for (let count = 0; count < 16; count++) {
      expect(faultOf(await follow(await wallet.connect(), device, { pin: '1' }))).toBe('pinInvalid');
    }
    expect(faultOf(await follow(await wallet.connect(), device))).toBe('notInitialized');
  });
});

describe('the passphrase', () => {
  it('leads to its own wallet', async () => {
    const { wallet, device } = await testDevice({ passphrase: true });
    const plain = got(await follow(await wallet.connect(), device, { passphrase: '' }));
    expect(got(await plain.address({ path: PATH }))).toBe(ADDRESS);
    await plain.close();
    const hidden = got(await follow(await wallet.connect(), device, { passphrase: PASSPHRASE }));
    const expected = mnemonicToAccount(WORDS, { passphrase: PASSPHRASE }).address;
    expect(expected).not.toBe(ADDRESS);
    expect(got(await hidden.address({ path: PATH }))).toBe(expected);
  });

  it('is the same in whatever form its letters were typed', async () => {
    const { wallet, device } = await testDevice({ passphrase: true });
    const keys = [];
    for (const form of ['NFC', 'NFD'] as const) {
      const step = await follow(await wallet.connect(), device, { passphrase: PASSPHRASE.normalize(form) });
      keys.push(got(step).device.key);
      await got(step).close();
    }
    expect(new Set(keys).size).toBe(1);
  });

  it('of more than 50 bytes is never sent', async () => {
    const { wallet, traffic } = await testDevice({ passphrase: true });
    const step = await wallet.connect();
    if (step.kind !== 'passphrase') throw new Error(step.kind);
    expect(faultOf(await step.enter(new Secret('ö'.repeat(26))))).toBe('unsupported');
    expect(traffic.filter(({ type }) => type === MESSAGE.passphraseAck)).toEqual([]);
  });

  it('is forgotten by the device when the session closes, and when none is established', async () => {
    const { wallet, device, traffic } = await testDevice({ passphrase: true });
    const ended = () => traffic.filter(({ type }) => type === MESSAGE.endSession).length;
    await got(await follow(await wallet.connect(), device)).close();
    await until(() => ended() === 1);
    expect(faultOf(await follow(await wallet.connect({ key: '00'.repeat(20) }), device))).toBe('wrongDevice');
    await until(() => ended() === 2);
  });
});

describe('one session, one request', () => {
  it('R1: a second connection is refused while there is a session, and there is room again after it', async () => {
    const { wallet } = await testDevice();
    const session = got(await wallet.connect());
    expect(faultOf(await wallet.connect())).toBe('busy');
    got(await session.ping());
    await session.close();
    got(await wallet.connect());
  });

  it('R1: a second request is refused while one has a question open, and disturbs nothing', async () => {
    const { wallet } = await testDevice();
    const session = got(await wallet.connect());
    const step = await session.address({ path: PATH, show: true });
    expect(faultOf(await session.ping())).toBe('busy');
    if (step.kind !== 'button') throw new Error(step.kind);
    expect(got(await step.proceed())).toBe(ADDRESS);
    expect(faultOf(await step.proceed())).toBe('busy');
    got(await session.ping());
  });
});

describe('the button', () => {
  it('denied is a cancel, and the session continues', async () => {
    const { wallet, device } = await testDevice({ buttons: 'deny' });
    const session = got(await wallet.connect());
    expect(faultOf(await follow(await session.address({ path: PATH, show: true }), device))).toBe('cancelled');
    expect(got(await session.address({ path: PATH }))).toBe(ADDRESS);
  });

  it('is waited for until its user presses it', async () => {
    const { wallet, device } = await testDevice({ buttons: 'wait' });
    const session = got(await wallet.connect());
    const step = await session.address({ path: PATH, show: true });
    expect(device.screen()).toEqual({ kind: 'confirm', lines: [ADDRESS] });
    const waiting = follow(step, device);
    await until(() => device.screen().kind === 'confirm');
    device.press('confirm');
    expect(got(await waiting)).toBe(ADDRESS);
  });

  it('is no longer waited for once the request is cancelled, and the session continues', async () => {
    const { wallet, device, traffic } = await testDevice({ buttons: 'wait' });
    const session = got(await wallet.connect());
    const waiting = follow(
      await session.signTransaction({ path: PATH, from: ADDRESS, transaction: TRANSACTION }),
      device,
    );
    await until(() => traffic.at(-1)?.type === MESSAGE.buttonAck);
    await session.cancel();
    expect(faultOf(await waiting)).toBe('cancelled');
    expect(got(await session.address({ path: PATH }))).toBe(ADDRESS);
  });

  it('a question is cancelled from outside as well', async () => {
    const { wallet } = await testDevice({ buttons: 'wait' });
    const session = got(await wallet.connect());
    const step = await session.address({ path: PATH, show: true });
    await session.cancel();
    expect(step.kind === 'button' ? faultOf(await step.proceed()) : step.kind).toBe('busy');
    expect(got(await session.address({ path: PATH }))).toBe(ADDRESS);
  });
});

describe('a cancel that crosses the answer', () => {
  it('leaves what is done as done, and the next answer belongs to the next request', async () => {
    const late = (type: number) => type === MESSAGE.ethereumAddress;
    const { wallet, clock, traffic } = await testDevice({
      trouble: ({ type }) => (late(type) ? { delayMs: 500 } : undefined),
    });
    const session = got(await wallet.connect());
    const asked = session.address({ path: PATH });
    await until(() => traffic.some(({ type }) => late(type)));
    await session.cancel();
    await clock.advance(500);
    expect(got(await asked)).toBe(ADDRESS);
    const { xpub } = got(await session.publicKey({ path: "m/44'/60'/0'" }));
    expect(xpub).toMatch(/^xpub/);
  });
});

describe('public keys', () => {
  it('of accounts of EVM chains and of coins of outputs are those of the seed', async () => {
    const { wallet } = await testDevice();
    const session = got(await wallet.connect());
    const root = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS));
    for (const [path, coin] of [["m/44'/60'/3'"], ["m/44'/141'/0'", 'Komodo']] as const) {
      const asked = coin === undefined ? { path } : { path, coin };
      const expected = root.derive(path).publicExtendedKey;
      expect(got(await session.publicKey(asked))).toEqual({ xpub: expected });
    }
  });

  it.each(['', 'm', 'x/1', 'm/2147483648', "m/1'/", 'm//1'])(
    'the path %j is refused before anything is sent',
    async (path) => {
      const { wallet, traffic } = await testDevice();
      const session = got(await wallet.connect());
      const sent = traffic.length;
      expect(faultOf(await session.publicKey({ path }))).toBe('unsupported');
      expect(traffic.length).toBe(sent);
    },
  );
});

/** Turns of the event loop until something is so. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await settled();
}
