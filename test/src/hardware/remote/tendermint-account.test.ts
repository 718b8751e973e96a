import { DirectSecp256k1Wallet, makeAuthInfoBytes } from '@cosmjs/proto-signing';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { base64 } from '@scure/base';
import { AuthInfo, SignDoc } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { beforeAll, describe, expect, it } from 'vitest';
import { RemoteWalletError } from '../../../../src/hardware/remote/asking.ts';
import { tendermintRemoteAccount } from '../../../../src/hardware/remote/tendermint-account.ts';
import type { RemoteAnswer, RemoteRequest, RemoteSession } from '../../../../src/ports/remote-wallet.ts';
import { sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { isJsonObject } from '../../../../src/primitives/json.ts';
import { passUntil } from '../../../support/hardware.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const KEY = Uint8Array.from({ length: 32 }, (_, place) => place + 11);
const PUBLIC = secp256k1.getPublicKey(KEY, true);
const CHAIN = 'iris-test-7';
const PREFIX = 'iaa';

/** A wallet of the Cosmos ecosystem’s own library. */
let wallet: DirectSecp256k1Wallet;
let address: string;

beforeAll(async () => {
  wallet = await DirectSecp256k1Wallet.fromKey(KEY, PREFIX);
  address = (await wallet.getAccounts())[0]?.address ?? '';
});

type Wire = {
  readonly bodyBytes: string;
  readonly authInfoBytes: string;
  readonly chainId: string;
  readonly accountNumber: string;
};
type Acting = {
  readonly chains?: readonly string[];
  readonly accounts?: readonly string[];
  /** What it tells of its accounts. */
  readonly told?: unknown;
  /** Changes what it is asked to sign, as its user may. */
  readonly change?: (document: Wire) => Wire;
  readonly answer?: (signature: string) => RemoteAnswer;
};

function sessionOf({
  chains = [`cosmos:${CHAIN}`],
  accounts = [`cosmos:${CHAIN}:${address}`],
  ...acting
}: Acting = {}) {
  const asked: RemoteRequest[] = [];
  const session: RemoteSession = {
    chains,
    accounts,
    async request(request) {
      asked.push(request);
      if (request.method === 'cosmos_getAccounts') {
        const own = [{ algo: 'secp256k1', address, pubkey: base64.encode(PUBLIC) }];
        return { ok: true, value: acting.told ?? own };
      }
      const [given] = request.params as readonly { readonly signerAddress: string; readonly signDoc: Wire }[];
      if (given === undefined || request.method !== 'cosmos_signDirect') throw new Error(`asked for ${request.method}`);
      const { change = (same) => same, answer } = acting;
      const wire = change(given.signDoc);
      const document = SignDoc.fromPartial({
        bodyBytes: hexToBytes(wire.bodyBytes),
        authInfoBytes: hexToBytes(wire.authInfoBytes),
        chainId: wire.chainId,
        accountNumber: BigInt(wire.accountNumber),
      });
      const { signature } = await wallet.signDirect(given.signerAddress, document);
      return answer?.(signature.signature) ?? { ok: true, value: { signature, signed: wire } };
    },
  };
  return { session, asked };
}

const feeOf = (gas: number, sequence: number) =>
  makeAuthInfoBytes(
    [{ pubkey: { typeUrl: '/cosmos.crypto.secp256k1.PubKey', value: Uint8Array.of(10, 33, ...PUBLIC) }, sequence }],
    [{ denom: 'unyan', amount: '1234' }],
    gas,
    undefined,
    undefined,
  );
const DOCUMENT = {
  bodyBytes: Uint8Array.of(10, 3, 1, 2, 3),
  authInfoBytes: feeOf(150_000, 5),
  chainId: CHAIN,
  accountNumber: 42n,
};

const accountOver = (session: RemoteSession | null, clock = virtualClock()) =>
  tendermintRemoteAccount({ session, chainId: CHAIN, prefix: PREFIX, clock });

async function wrong(work: Promise<unknown>, clock = virtualClock()): Promise<string> {
  const settled = work.then(
    () => 'nothing went wrong',
    (error: unknown) => (error instanceof RemoteWalletError ? error.kind : `no fault: ${String(error)}`),
  );
  return passUntil(settled, clock);
}

describe('the account of a session with a wallet of Cosmos', () => {
  it('is the one that signs, and its signatures are those of exactly the document', async () => {
    const { session, asked } = sessionOf();
    const account = await accountOver(session);
    expect(bytesToHex(account.key)).toBe(bytesToHex(PUBLIC));
    const signature = await account.signDirect?.(DOCUMENT);
    const signed = SignDoc.encode(SignDoc.fromPartial(DOCUMENT)).finish();
    expect(secp256k1.verify(signature ?? new Uint8Array(64), sha256(signed), PUBLIC, { prehash: false })).toBe(true);
    expect(asked.map(({ chain, method }) => `${chain} ${method}`)).toEqual([
      `cosmos:${CHAIN} cosmos_getAccounts`,
      `cosmos:${CHAIN} cosmos_signDirect`,
    ]);
    expect(AuthInfo.decode(DOCUMENT.authInfoBytes).signerInfos[0]?.sequence).toBe(5n);
  });

  it('signs no bare hash, and nothing of another chain', async () => {
    const account = await accountOver(sessionOf().session);
    expect(() => account.sign(new Uint8Array(32))).toThrow('signs no bare hashes');
    await expect(account.signDirect?.({ ...DOCUMENT, chainId: 'iris-8' })).rejects.toThrow(RangeError);
  });

  it.each([
    ['the fee', (wire: Wire) => ({ ...wire, authInfoBytes: bytesToHex(feeOf(900_000, 5)) })],
    ['the sequence', (wire: Wire) => ({ ...wire, authInfoBytes: bytesToHex(feeOf(150_000, 6)) })],
    ['the body', (wire: Wire) => ({ ...wire, bodyBytes: '0a03010204' })],
    ['the chain', (wire: Wire) => ({ ...wire, chainId: 'iris-8' })],
    ['the number of the account', (wire: Wire) => ({ ...wire, accountNumber: '43' })],
  ])('hands out no signature if the wallet changes %s', async (_, change) => {
    const account = await accountOver(sessionOf({ change }).session);
    expect(await wrong(account.signDirect?.(DOCUMENT) ?? Promise.resolve())).toBe('signature');
  });

  it.each([
    ['nothing', { ok: true, value: null }],
    [
      'a signature of other bytes',
      { ok: true, value: { signature: { signature: base64.encode(new Uint8Array(63)) } } },
    ],
    ['something other than base64', { ok: true, value: { signature: '*' } }],
  ] as const)('does not accept %s as a signature', async (_, answer) => {
    const account = await accountOver(sessionOf({ answer: () => answer }).session);
    expect(await wrong(account.signDirect?.(DOCUMENT) ?? Promise.resolve())).toBe('garbled');
  });

  it('accepts no signature with a high S, which nodes refuse', async () => {
    const answer = (text: string): RemoteAnswer => {
      const { r, s } = secp256k1.Signature.fromBytes(base64.decode(text), 'compact');
      const high = new secp256k1.Signature(r, secp256k1.Point.Fn.ORDER - s);
      return { ok: true, value: { signature: base64.encode(high.toBytes('compact')) } };
    };
    const account = await accountOver(sessionOf({ answer }).session);
    expect(await wrong(account.signDirect?.(DOCUMENT) ?? Promise.resolve())).toBe('signature');
  });

  it.each([
    ['there is no session', () => null, 'session'],
    ['the session is for other chains', () => sessionOf({ chains: ['cosmos:cosmoshub-4'] }).session, 'session'],
    ['it has no account there', () => sessionOf({ accounts: [] }).session, 'session'],
    ['its account is none', () => sessionOf({ accounts: [`cosmos:${CHAIN}:iaa1x`] }).session, 'session'],
    ['no key is told of it', () => sessionOf({ told: [] }).session, 'garbled'],
    [
      'its key is of another kind',
      () => sessionOf({ told: [{ algo: 'ed25519', address, pubkey: base64.encode(PUBLIC) }] }).session,
      'garbled',
    ],
    [
      'its key is that of another account',
      () =>
        sessionOf({
          told: [
            {
              algo: 'secp256k1',
              address,
              pubkey: base64.encode(
                secp256k1.getPublicKey(
                  KEY.map((b) => b + 1),
                  true,
                ),
              ),
            },
          ],
        }).session,
      'session',
    ],
  ])('does not exist if %s', async (_, session, kind) => {
    expect(await wrong(accountOver(session()))).toBe(kind);
  });

  it('reports a user that says no, and a wallet that says nothing in time', async () => {
    const denied = sessionOf({
      answer: () => ({ ok: false, fault: { kind: 'refused', message: 'its user said no', code: 4001 } }),
    });
    const account = await accountOver(denied.session);
    expect(await wrong(account.signDirect?.(DOCUMENT) ?? Promise.resolve())).toBe('refused');
    const clock = virtualClock();
    const silent: RemoteSession = { ...sessionOf().session, request: () => new Promise(() => {}) };
    expect(await wrong(accountOver(silent, clock), clock)).toBe('timeout');
    expect(isJsonObject(denied.asked[1]?.params[0])).toBe(true);
  });
});
