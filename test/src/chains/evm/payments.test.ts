import { keccak256, numberToHex, toHex } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contractSwapId } from '../../../../src/htlc/evm-calls.ts';
import type { PaymentTerms } from '../../../../src/ports/chain.ts';
import { sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { addSeconds, heightOf } from '../../../../src/primitives/time.ts';
import { DEX_FEE_ACCOUNT } from '../../../../src/replay/audit/fees.ts';
import { addressOf, FINALITY } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { ETHER, FIRST, goodOf, kindOf, SWAP, TwoWallets } from '../../../support/evm/two-wallets.ts';
import { describeWith } from '../../../support/optional-part.ts';

describeWith(ANVIL, 'payments of ether on an EVM chain', () => {
  let world: TwoWallets;

  beforeAll(async () => {
    world = await TwoWallets.open();
  }, 60_000);
  afterAll(() => world?.chain.stop());

  const held = () => world.chain.balance(world.chain.contract);
  /** What the contract stores under the id of these terms, as a node tells it: the lock and the state. */
  const stored = async ({ lock, secretHash }: PaymentTerms) => {
    const id = contractSwapId(lock, hexToBytes(secretHash));
    const call = { to: `0x${world.chain.contract}`, data: `0x0716326d${id}` };
    const words = String(await world.chain.request('eth_call', [call, 'latest'])).slice(2);
    return [Number(`0x${words.slice(64, 128)}`), Number(`0x${words.slice(128)}`)];
  };
  /** What a transaction has cost for its gas, by its receipt. */
  const gasPaid = async ({ tx_hash }: { readonly tx_hash: string }) => {
    const receipt = (await world.chain.request('eth_getTransactionReceipt', [`0x${tx_hash}`])) as {
      readonly gasUsed: string;
      readonly effectiveGasPrice: string;
    };
    return BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
  };

  it('are exactly the wei of the terms, under exactly their lock, and reach the receiver', async () => {
    const [from, to] = [world.wallet('sender'), world.wallet('receiver')];
    const { terms, secret } = world.terms('1.000000000000000007');
    const before = await Promise.all(['sender', 'receiver'].map((name) => world.chain.balance(addressOf(name))));
    const funding = await world.paid(from, terms);
    expect(await held()).toBe(ETHER + 7n);
    expect(await stored(terms)).toEqual([terms.lock, 1]);
    const claim = await world.make(to, { purpose: 'claim', terms, funding, secret, ...FIRST });
    await goodOf(to.broadcast(claim));
    await world.chain.mine();
    expect([await held(), (await stored(terms))[1]]).toEqual([0n, 2]);
    const after = await Promise.all(['sender', 'receiver'].map((name) => world.chain.balance(addressOf(name))));
    const changes = after.map((balance, place) => balance - (before[place] ?? 0n));
    expect(changes).toEqual([-ETHER - 7n - (await gasPaid(funding)), ETHER + 7n - (await gasPaid(claim))]);
  });

  it('can be refunded from the exact second of the lock on, and not a second before', async () => {
    const wallet = world.wallet('sender');
    const { terms } = world.terms('0.5');
    const funding = await world.paid(wallet, terms);
    await world.chain.mineAt(terms.lock - 1);
    const early = await goodOf(wallet.payment({ terms }));
    expect([early.refundable, early.clock, early.expiry]).toEqual([
      false,
      terms.lock - 1,
      { unit: 'seconds', at: terms.lock, now: terms.lock - 1 },
    ]);
    await world.chain.mineAt(terms.lock);
    expect((await goodOf(wallet.payment({ terms }))).refundable).toBe(true);
    const refund = await world.make(wallet, { purpose: 'refund', terms, funding, ...FIRST });
    const before = await world.chain.balance(addressOf('sender'));
    await goodOf(wallet.broadcast(refund));
    await world.chain.mine();
    expect((await world.chain.balance(addressOf('sender'))) - before).toBe(ETHER / 2n - (await gasPaid(refund)));
    expect((await stored(terms))[1]).toBe(3);
    expect((await goodOf(wallet.payment({ terms }))).spend).toMatchObject({
      how: 'refund',
      confirmations: 1,
      secret: null,
    });
  });

  it('under a hash of 32 bytes have the id of those, and the secret opens them', async () => {
    const [from, to] = [world.wallet('sender'), world.wallet('receiver')];
    const { terms: given, secret } = world.terms('0.5');
    const terms = { ...given, secretHash: bytesToHex(sha256(hexToBytes(secret))) };
    const funding = await world.paid(from, terms);
    expect(await stored(terms)).toEqual([terms.lock, 1]);
    const claim = await world.make(to, { purpose: 'claim', terms, funding, secret, ...FIRST });
    await goodOf(to.broadcast(claim));
    await world.chain.mine();
    expect((await goodOf(from.payment({ terms }))).spend?.secret).toBe(secret);
  });

  it.each([
    ['one wei less', { amount: '0.499999999999999999' }],
    ['one wei more', { amount: '0.500000000000000001' }],
    ['another receiver', { receiver: 'stranger' }],
    ['a lock a second earlier', { lock: -1 }],
    ['a lock a second later', { lock: 1 }],
  ] as const)('of %s are not those of the terms', async (_, change) => {
    const { terms } = world.terms('0.5');
    const changed = {
      ...terms,
      ...('amount' in change ? { amount: change.amount as typeof terms.amount } : {}),
      ...('receiver' in change ? { receiver: world.wallet(change.receiver).htlcKey('') } : {}),
      ...('lock' in change ? { lock: addSeconds(terms.lock, change.lock) } : {}),
    };
    const payment = await world.paid(world.wallet('sender'), changed);
    const { funding, problem } = await goodOf(world.wallet('receiver').payment({ terms }));
    expect(funding === null || problem !== null).toBe(true);
    const named = await goodOf(world.wallet('receiver').payment({ terms, claimed: payment.tx_hex }));
    expect(named.problem).not.toBeNull();
  });

  it('are found far below the tip, by as many looks as necessary, in ranges that nodes permit', async () => {
    const { terms, secret } = world.terms('0.5');
    const funding = await world.paid(world.wallet('sender'), terms);
    const { height } = await goodOf(world.wallet('sender').quote());
    // Another one above it, and another one's claim.
    const other = world.terms('0.25');
    const beside = await world.paid(world.wallet('sender'), other.terms);
    const { secret: shown } = other;
    const claimed = { purpose: 'claim', terms: other.terms, funding: beside, secret: shown, ...FIRST } as const;
    await goodOf(world.wallet('receiver').broadcast(await world.make(world.wallet('receiver'), claimed)));
    await world.chain.mine();
    await world.chain.request('anvil_mine', [numberToHex(118)]);
    world.chain.now += 118;
    const asked: number[] = [];
    const reader = world.chain.reader(undefined, ({ method, params, answer }) => {
      const [filter] = params as readonly { readonly fromBlock: string; readonly toBlock: string }[];
      if (method === 'eth_getLogs') asked.push(Number(filter?.toBlock) - Number(filter?.fromBlock) + 1);
      return answer;
    });
    const to = world.wallet('receiver', { reader, coin: { logsBlockRange: 4 } });
    expect(await kindOf(to.payment({ terms }))).toBe('unknown');
    expect((await goodOf(to.payment({ terms }))).funding).toMatchObject({
      tx: { tx_hash: funding.tx_hash, tx_hex: funding.tx_hex },
      confirmations: 121,
    });
    expect(Math.max(...asked)).toBe(4);
    const count = asked.length;
    // It is remembered where it is.
    await goodOf(to.payment({ terms, from: heightOf(height) }));
    expect(asked.length).toBe(count);
    const claim = await world.make(to, { purpose: 'claim', terms, funding, secret, ...FIRST });
    await goodOf(to.broadcast(claim));
    await world.chain.mine();
    expect((await goodOf(to.payment({ terms }))).spend?.secret).toBe(secret);
    await world.chain.mineAt(world.chain.now + 60);
  });

  it('are no fees, and a fee is a transfer of the chain’s own coin to the account of fees', async () => {
    const wallet = world.wallet('sender');
    const before = await world.chain.balance(DEX_FEE_ACCOUNT);
    const fee = await world.fee(wallet, 1_287_001n);
    await goodOf(wallet.broadcast(fee));
    await world.chain.mine();
    expect((await world.chain.balance(DEX_FEE_ACCOUNT)) - before).toBe(1_287_001n);
    const check = { tx: null, hash: fee.tx_hash, payer: wallet.htlcKey(''), burnSat: 0n, minHeight: 0 };
    const judged = (feeSat: bigint) => goodOf(world.wallet('receiver').checkFee({ ...check, feeSat }, SWAP));
    expect(await judged(1_287_001n)).toBeNull();
    expect(await judged(1_287_002n)).toMatch(/value is less/);
  });

  it('are at most nearly final, however deep, while the nodes call no block above them final', async () => {
    let final: number | null = 0;
    const reader = world.chain.reader(undefined, ({ method, params, answer }) => {
      if (method !== 'eth_getBlockByNumber' || params[0] !== 'finalized') return answer;
      return final === null ? null : { ...(answer as object), number: numberToHex(final) };
    });
    const { terms } = world.terms('0.5');
    const payment = await world.paid(world.wallet('sender'), terms);
    const wallet = world.wallet('receiver', { reader, coin: { finalizedTag: true } });
    const depths = async () => [
      (await goodOf(wallet.payment({ terms }))).funding?.confirmations,
      (await goodOf(wallet.transaction(payment.tx_hash))).confirmations,
    ];
    const { height } = await goodOf(wallet.quote());
    expect(await depths()).toEqual([1, 1]);
    await world.chain.mine(FINALITY);
    expect(await depths()).toEqual([FINALITY - 1, FINALITY - 1]);
    final = height - 1;
    expect(await depths()).toEqual([FINALITY - 1, FINALITY - 1]);
    final = height;
    expect(await depths()).toEqual([FINALITY + 1, FINALITY + 1]);
    final = null;
    expect(await depths()).toEqual([FINALITY - 1, FINALITY - 1]);
  });

  it('are not paid to another contract than the swap contract or the fallback', async () => {
    const { terms } = world.terms('0.5');
    const elsewhere = { ...terms, contract: keccak256(toHex('another')).slice(2, 42) };
    const wallet = world.wallet('sender');
    expect(await kindOf(wallet.prepare({ purpose: 'payment', terms: elsewhere, ...FIRST }, SWAP))).toBe('invalid');
    const fallen = world.wallet('sender', {
      coin: { contract: 'ab'.repeat(20), fallbackContract: world.chain.contract },
    });
    await world.paid(fallen, terms);
    expect((await goodOf(world.wallet('receiver').payment({ terms }))).problem).toBeNull();
  });

  it('are not reported absent by a coin that looks at another contract: neither side, paid, spent or refunded', async () => {
    const { terms, secret } = world.terms('0.5');
    const coin = { contract: 'ab'.repeat(20) };
    const elsewhere = [world.wallet('sender', { coin }), world.wallet('receiver', { coin })];
    const answers = () => Promise.all(elsewhere.map((wallet) => kindOf(wallet.payment({ terms }))));
    const funding = await world.paid(world.wallet('sender'), terms);
    expect(await answers()).toEqual(['unsupported', 'unsupported']);
    const to = world.wallet('receiver');
    await goodOf(to.broadcast(await world.make(to, { purpose: 'claim', terms, funding, secret, ...FIRST })));
    await world.chain.mine();
    expect(await answers()).toEqual(['unsupported', 'unsupported']);
    const back = world.wallet('sender', { coin: { ...coin, fallbackContract: world.chain.contract } });
    expect((await goodOf(back.payment({ terms }))).spend).toMatchObject({ how: 'secret', secret });
    const [sender] = elsewhere;
    expect(await sender?.payment({ terms })).toMatchObject({
      fault: { message: expect.stringContaining(world.chain.contract) },
    });
    // Terms that no contract can have are none of another one.
    for (const never of [{ sender: '02' }, { secretHash: 'zz' }, { lock: addSeconds(terms.lock, 2 ** 32) }])
      expect(
        (await goodOf(world.wallet('sender', { coin }).payment({ terms: { ...terms, ...never } }))).problem,
      ).toMatch(/cannot be written/);
  });
});
