import fc from 'fast-check';
import { parseTransaction, recoverTransactionAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { RemoteWalletError, remoteAccount } from '../../../../src/hardware/remote/account.ts';
import {
  type SimulatedRemoteWalletOptions,
  simulatedRemoteWallet,
} from '../../../../src/hardware/remote/simulated-wallet.ts';
import type { DeviceTransaction } from '../../../../src/ports/hardware-wallet.ts';
import type { RemoteSession } from '../../../../src/ports/remote-wallet.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import { LEGACY, passUntil, TRANSACTION } from '../../../support/hardware.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const KEY = Uint8Array.from({ length: 32 }, (_, place) => place + 3);
const TOPIC = 'ab'.repeat(32);
const owner = privateKeyToAccount(`0x${bytesToHex(KEY)}`);

function bench(changes: Partial<SimulatedRemoteWalletOptions> = {}) {
  const clock = virtualClock();
  const wallet = simulatedRemoteWallet({ secretKey: new Secret(KEY), topic: TOPIC, chainIds: [1, 137], ...changes });
  const account = async (topic = TOPIC, signal?: AbortSignal) => {
    const session = await wallet.session(new Secret(topic));
    return remoteAccount({ session, chainId: 137, clock, ...(signal === undefined ? {} : { signal }) });
  };
  return { clock, wallet, account };
}

/** What went wrong, after some time where it takes some. */
async function wrong(work: Promise<unknown>, clock = virtualClock()): Promise<string> {
  const settled = work.then(
    () => 'nothing went wrong',
    (error: unknown) =>
      error instanceof RemoteWalletError ? `${error.kind}: ${error.message}` : `no fault: ${String(error)}`,
  );
  return passUntil(settled, clock);
}

describe('the account of a session with a remote wallet', () => {
  it('is the one that signs, with its public key', async () => {
    const { account, wallet } = bench();
    const { address, key } = await account();
    expect(address).toBe(owner.address);
    expect(bytesToHex(key)).toHaveLength(66);
    expect(wallet.asked).toEqual(['personal_sign']);
  });

  it('signs the text that the real node has it sign, as viem does', async () => {
    const signature = await owner.signMessage({ message: 'Authenticate with KDF' });
    const { account } = bench({
      trouble: ({ method }) => (method === 'personal_sign' ? { answer: signature } : undefined),
    });
    expect((await account()).address).toBe(owner.address);
  });

  it.each([
    [
      'there is no session',
      { topic: 'cd'.repeat(32) },
      'session: Session Error: No active WalletConnect session found',
    ],
    ['the session is for other chains', { chainIds: [1] }, 'session: ChainId not supported: eip155:137'],
    [
      'it has no account there',
      { accounts: [`eip155:1:${owner.address}`] },
      'session: Account not found for chain_id: eip155:137',
    ],
    ['its account is none', { accounts: ['eip155:137:0x12'] }, 'session: Account not found for chain_id: eip155:137'],
    [
      'another account is the first one',
      { accounts: [`eip155:137:${owner.address}`, `eip155:137:0x${'00'.repeat(20)}`] },
      `session: Session Error: Recovered address '${owner.address}' should be the same as '0x${'00'.repeat(20)}'`,
    ],
  ])('does not exist if %s', async (_, changes, text) => {
    expect(await wrong(bench(changes).account())).toBe(text);
  });

  it.each([
    ['its user says no', 'deny', 'refused: UnSuccessfulResponse Error: the wallet refused with the code 4001'],
    ['the session ends', 'disconnect', 'ended: Session Error: the session has ended'],
    ['nobody answers', 'silence', 'timeout: Request timeout error'],
    ['what is answered is no text', { answer: 7 }, /^garbled: Internal Error: /],
    ['what is answered is too short', { answer: `0x${'11'.repeat(64)}` }, /^garbled: /],
    ['the recovery id is of another kind', { answer: `0x${'11'.repeat(64)}00` }, /^garbled: .* ending in 27 or 28$/],
    ['no key makes the signature', { answer: `0x${'ff'.repeat(64)}1b` }, /^garbled: .* no key can have made$/],
  ] as const)('is unknown if %s', async (_, trouble, text) => {
    const { account, clock } = bench({ trouble: () => trouble });
    const said = await wrong(account(), clock);
    if (typeof text === 'string') expect(said).toBe(text);
    else expect(said).toMatch(text);
  });

  it('is not waited for once it was ended, also before', async () => {
    const ending = new AbortController();
    const { account } = bench({ trouble: () => 'silence' });
    const asked = wrong(account(TOPIC, ending.signal));
    ending.abort();
    expect(await asked).toMatch(/^ended: /);
    expect(await wrong(account(TOPIC, ending.signal))).toMatch(/^ended: /);
  });
});

describe('a transaction that a remote wallet signs', () => {
  it('is signed after whoever asked for the account has ended, within a time of its own', async () => {
    let isSilent = false;
    const { account, clock, wallet } = bench({ trouble: () => (isSilent ? 'silence' : undefined) });
    const ending = new AbortController();
    const { sign } = await account(TOPIC, ending.signal);
    ending.abort();
    const { raw } = await sign(TRANSACTION);
    expect(parseTransaction(`0x${bytesToHex(raw)}`).nonce).toBe(Number(TRANSACTION.nonce));
    expect(wallet.asked).toEqual(['personal_sign', 'eth_signTransaction']);
    isSilent = true;
    expect(await wrong(sign(TRANSACTION), clock)).toMatch(/^timeout: /);
  });

  it('is waited for no longer than that even if the link ignores its signal', async () => {
    const { wallet, clock } = bench();
    const own = await wallet.session(new Secret(TOPIC));
    if (own === null) throw new Error('no session');
    const deaf: RemoteSession = {
      ...own,
      request: (asked) => (asked.method === 'personal_sign' ? own.request(asked) : new Promise(() => {})),
    };
    const { sign } = await remoteAccount({ session: deaf, chainId: 137, clock, signMs: 7 });
    expect(await wrong(sign(TRANSACTION), clock)).toBe('timeout: Request timeout error');
  });

  const numbers = fc.bigInt(0n, 2n ** 90n);
  const transactions: fc.Arbitrary<DeviceTransaction> = fc.record({
    chainId: fc.constant(137),
    nonce: fc.bigInt(0n, 2n ** 40n),
    gasLimit: fc.bigInt(21_000n, 2n ** 30n),
    to: fc.option(fc.constant(TRANSACTION.to), { freq: 5 }),
    value: numbers,
    data: fc.uint8Array({ maxLength: 300 }),
    fee: fc.oneof(
      numbers.map((gasPrice) => ({ kind: 'legacy' as const, gasPrice })),
      numbers.map((fee) => ({ kind: 'eip1559' as const, maxFeePerGas: fee, maxPriorityFeePerGas: fee / 2n })),
    ),
  });

  it('is the one that was asked for, by the account, as viem reads it', async () => {
    const { account } = bench();
    const { sign } = await account();
    await fc.assert(
      fc.asyncProperty(transactions, async (transaction) => {
        const { raw, hash } = await sign(transaction);
        const serializedTransaction = `0x${bytesToHex(raw)}` as const;
        const read = parseTransaction(serializedTransaction);
        expect(BigInt(read.nonce ?? 0)).toBe(transaction.nonce);
        expect([read.value ?? 0n, read.chainId]).toEqual([transaction.value, 137]);
        expect(
          await recoverTransactionAddress({ serializedTransaction: serializedTransaction as `0x02${string}` }),
        ).toBe(owner.address);
        expect(hash).toMatch(/^[0-9a-f]{64}$/);
      }),
      { numRuns: 25 },
    );
  });

  it.each([
    ['the amount', { value: 1n }],
    ['the receiver', { to: `0x${'66'.repeat(20)}` }],
    ['the data', { data: Uint8Array.of(1) }],
    ['the nonce', { nonce: 8n }],
    ['the gas', { gasLimit: 150_001n }],
    ['the chain', { chainId: 1 }],
    ['the fee', { fee: { kind: 'eip1559', maxFeePerGas: 90_000_000_000n, maxPriorityFeePerGas: 31_000_000_001n } }],
    ['the kind of the fee', { fee: LEGACY.fee }],
  ] as const)('is not handed out if the wallet changes %s', async (_, changes) => {
    const change = (asked: DeviceTransaction): DeviceTransaction => ({ ...asked, ...changes });
    const { account } = bench({ trouble: ({ method }) => (method === 'personal_sign' ? undefined : { change }) });
    const { sign } = await account();
    expect(await wrong(sign(TRANSACTION))).toMatch(/^signature: .* a different transaction/);
  });

  it('is not handed out if somebody else signs it, or nobody', async () => {
    const other = simulatedRemoteWallet({
      secretKey: new Secret(KEY.map((byte) => byte + 1)),
      topic: TOPIC,
      chainIds: [137],
      accounts: [`eip155:137:${owner.address}`],
    });
    const session = await other.session(new Secret(TOPIC));
    const request = { chain: 'eip155:137', method: 'eth_signTransaction', signal: new AbortController().signal };
    const seen: unknown[] = [];
    let answer: unknown = '0x';
    const { account } = bench({
      trouble: ({ method, params }) => {
        if (method === 'personal_sign') return undefined;
        seen.push(...params);
        return { answer };
      },
    });
    const { sign } = await account();
    expect(await wrong(sign(TRANSACTION))).toMatch(/^garbled: /);
    const theirs = await session?.request({ ...request, params: seen });
    answer = theirs?.ok === true ? theirs.value : null;
    expect(await wrong(sign(TRANSACTION))).toMatch(/^signature: .* not from the account/);
  });

  it('is refused, or waited for in vain, as is said', async () => {
    for (const [trouble, text] of [
      ['deny', /^refused: /],
      ['silence', /^timeout: /],
    ] as const) {
      const { account, clock } = bench({ trouble: ({ method }) => (method === 'personal_sign' ? undefined : trouble) });
      const { sign } = await account();
      expect(await wrong(sign(TRANSACTION), clock)).toMatch(text);
    }
    const { account } = bench();
    await expect((await account()).sign({ ...TRANSACTION, chainId: 1 })).rejects.toThrow(RangeError);
  });
});
