import { recoverMessageAddress, recoverTransactionAddress, toHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { type RemoteTrouble, simulatedRemoteWallet } from '../../../../src/hardware/remote/simulated-wallet.ts';
import type { RemoteAnswer, RemoteRequest, RemoteSession, RemoteWallets } from '../../../../src/ports/remote-wallet.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import {
  type RemoteUser,
  type RemoteWalletUnderTest,
  remoteWalletContract,
} from '../../../../src/testing/contracts/remote-wallet-contract.ts';

const KEY = Uint8Array.from({ length: 32 }, (_, place) => place + 5);
const TOPIC = 'c0'.repeat(32);
const TROUBLES: Readonly<Record<RemoteUser, RemoteTrouble | undefined>> = {
  confirms: undefined,
  denies: 'deny',
  isAway: 'silence',
};

/** The wallet of this package, and whatever is between it and the suite. */
function under(between: (wallets: RemoteWallets) => RemoteWallets = (wallets) => wallets) {
  return (): RemoteWalletUnderTest => {
    let trouble: RemoteTrouble | undefined;
    const wallet = simulatedRemoteWallet({
      ...{ secretKey: new Secret(KEY), topic: TOPIC, chainIds: [137, 8453] },
      trouble: () => trouble,
    });
    return {
      ...{ wallets: between(wallet), topic: new Secret(TOPIC), address: wallet.address, chainIds: [137, 8453] },
      user(does) {
        trouble = TROUBLES[does];
      },
      disconnect: wallet.disconnect,
      signerOfText: (text, signature) =>
        recoverMessageAddress({ message: { raw: text }, signature: signature as `0x${string}` }),
      signerOf: (raw) => recoverTransactionAddress({ serializedTransaction: toHex(raw) as `0x02${string}` }),
    };
  };
}

describe('the contract of the port', () => {
  for (const { title, run } of remoteWalletContract(under())) it(title, run);
});

type Between = (request: RemoteRequest, ask: RemoteSession['request']) => Promise<RemoteAnswer>;

/** Wallets whose sessions answer otherwise. */
function answering(between: Between): (wallets: RemoteWallets) => RemoteWallets {
  return (wallets) => ({
    async session(topic) {
      const own = await wallets.session(topic);
      return own === null ? null : { ...own, request: (request) => between(request, own.request) };
    },
  });
}

const other = simulatedRemoteWallet({
  secretKey: new Secret(KEY.map((byte) => byte + 1)),
  topic: TOPIC,
  chainIds: [137, 8453],
});

describe('the contract notices', () => {
  const plants: readonly (readonly [string, RegExp, (wallets: RemoteWallets) => RemoteWallets])[] = [
    ['a session for whoever asks', /^W1/, (wallets) => ({ session: () => wallets.session(new Secret(TOPIC)) })],
    [
      'accounts that are named without their chain',
      /^W2/,
      (wallets) => ({
        async session(topic) {
          const own = await wallets.session(topic);
          return own === null ? null : { ...own, accounts: [other.address] };
        },
      }),
    ],
    [
      'a signature with 0 or 1 at its end',
      /^W3/,
      answering(async (request, ask) => {
        const answer = await ask(request);
        if (!answer.ok || request.method !== 'personal_sign') return answer;
        const text = String(answer.value);
        return { ok: true, value: `${text.slice(0, -2)}0${Number.parseInt(text.slice(-2), 16) - 27}` };
      }),
    ],
    [
      'a wallet that signs a text that it was not given',
      /^W3/,
      answering((request, ask) =>
        ask(request.method === 'personal_sign' ? { ...request, params: ['0x00', request.params[1]] } : request),
      ),
    ],
    [
      'a wallet that sets the price of gas by itself',
      /^W4/,
      answering((request, ask) => {
        const [first] = request.params;
        const dear = typeof first === 'object' && first !== null && 'gasPrice' in first;
        return ask(dear ? { ...request, params: [{ ...first, gasPrice: '0x1' }] } : request);
      }),
    ],
    ['answers that are mixed up', /^W5/, answering(mixedUp())],
    [
      'a denial that is taken for a silence',
      /^W6/,
      answering(async (request, ask) => {
        const answer = await ask(request);
        if (answer.ok || answer.fault.kind !== 'refused') return answer;
        return { ok: false, fault: { kind: 'timeout', message: 'nobody answered' } };
      }),
    ],
    [
      'a denial that is thrown',
      /^W6/,
      answering(async (request, ask) => {
        const answer = await ask(request);
        if (!answer.ok && answer.fault.code === 4001) throw new Error('the user said no');
        return answer;
      }),
    ],
    [
      'a topic in the text of a fault',
      /^W6/,
      answering(async (request, ask) => {
        const answer = await ask(request);
        if (answer.ok) return answer;
        return { ok: false, fault: { ...answer.fault, message: `the session ${TOPIC} says no` } };
      }),
    ],
    [
      'a request that takes what was ended before for what is asked now',
      /^W7/,
      answering((request, ask) => ask({ ...request, signal: new AbortController().signal })),
    ],
    [
      'a wallet that signs for a chain that nobody agreed on',
      /^W8/,
      answering((request, ask) => ask({ ...request, chain: 'eip155:137' })),
    ],
    [
      'a wallet that signs by its own account whatever is asked for',
      /^W8/,
      answering((request, ask) =>
        ask(
          request.method === 'personal_sign'
            ? { ...request, params: [request.params[0], simulatedRemoteWallet(OWN).address] }
            : request,
        ),
      ),
    ],
    ['a session that outlives its end', /^W9/, outliving],
  ];

  it.each(plants)('%s', async (_, title, between) => {
    const found: string[] = [];
    for (const { title: name, run } of remoteWalletContract(under(between))) {
      const over = AbortSignal.timeout(300);
      const late = new Promise<never>((_resolve, reject) => over.addEventListener('abort', () => reject(over.reason)));
      await Promise.race([run(), late]).catch(() => found.push(name));
    }
    expect(found.filter((name) => title.test(name))).not.toEqual([]);
  });
});

const OWN = { secretKey: new Secret(KEY), topic: TOPIC, chainIds: [137, 8453] };

/** The answer to the request before, where there is one. */
function mixedUp(): Between {
  let before: Promise<RemoteAnswer> | undefined;
  return (request, ask) => {
    const own = ask(request);
    const told = request.method === 'personal_sign' ? (before ?? own) : own;
    before = own;
    return told;
  };
}

/** Its sessions are those that were there once. */
function outliving(wallets: RemoteWallets): RemoteWallets {
  const known = new Map<string, RemoteSession>();
  return {
    async session(topic) {
      const own = await wallets.session(topic);
      if (own !== null) known.set(topic.reveal(), own);
      return known.get(topic.reveal()) ?? null;
    },
  };
}
