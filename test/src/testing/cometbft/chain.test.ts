import { secp256k1 } from '@noble/curves/secp256k1.js';
import { describe, expect, it } from 'vitest';
import { tendermintAccount, tendermintAddress } from '../../../../src/htlc/tendermint-address.ts';
import type { TendermintMessage } from '../../../../src/htlc/tendermint-messages.ts';
import {
  encodeTendermintTransaction,
  signingHash,
  type TendermintDraft,
  unsignedParts,
} from '../../../../src/htlc/tendermint-transaction.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';
import { type CometChain, createCometChain } from '../../../../src/testing/cometbft/chain.ts';
import { createCometNode } from '../../../../src/testing/cometbft/node.ts';
import { balanceOf } from '../../../../src/testing/cometbft/state.ts';

const SECRET_KEY = sha256(new TextEncoder().encode('payer'));
const KEY = secp256k1.getPublicKey(SECRET_KEY, true);
const PAYER = tendermintAddress('nuc', tendermintAccount(KEY) ?? '');
const OTHER = tendermintAddress('nuc', 'ca1e04745e8ca0c60d8c5881531d51bec470743f');
const SECRET = '5e'.repeat(32);
const PAID = 700n;

function chainOf(): CometChain {
  const chain = createCometChain({
    ...{ chainId: 'nucleus-3', prefix: 'nuc', module: 'nucleus', feeDenom: 'unucl', gasPrice: '0.1' as DecimalText },
    ...{ startTime: 1_700_000_000 as UnixSeconds, blockTime: 6 },
  });
  chain.fund(PAYER, [{ denom: 'unucl', amount: 1_000_000n }]);
  return chain;
}

function signed(changes: Partial<TendermintDraft>): Uint8Array {
  const draft: TendermintDraft = {
    ...{ messages: [], memo: '', timeoutHeight: 0n, key: KEY, sequence: 0n, gas: 150_000n },
    fee: [{ denom: 'unucl', amount: 15_000n }],
    ...changes,
  };
  const hash = signingHash(unsignedParts(draft), { chainId: 'nucleus-3', accountNumber: 0n });
  return encodeTendermintTransaction(draft, secp256k1.sign(hash, SECRET_KEY, { prehash: false, lowS: true }));
}

function payment(timeLock: bigint): TendermintMessage {
  return {
    ...{ kind: 'create', module: 'nucleus', sender: PAYER, to: OTHER, coins: [{ denom: 'unucl', amount: PAID }] },
    ...{ hashLock: bytesToHex(sha256(hexToBytes(SECRET))), timestamp: 0n, timeLock, isTransfer: false },
  };
}

const claim = (chain: CometChain): TendermintMessage => {
  const [id = ''] = chain.tip().state.payments.keys();
  return { kind: 'claim', module: 'nucleus', sender: PAYER, id, secret: SECRET };
};

const has = (chain: CometChain, address: string) => balanceOf(chain.tip().state, address, 'unucl');

describe('the HTLC module of a chain in this process', () => {
  it('refunds a payment in the block in which its lock ends, and not in the one before, in which a claim still counts', () => {
    for (const early of [true, false]) {
      const chain = chainOf();
      chain.offer(signed({ messages: [payment(50n)] }));
      chain.mine();
      expect(has(chain, PAYER)).toBe(1_000_000n - 15_000n - PAID);
      chain.mine(early ? 48 : 49);
      expect([...chain.tip().state.payments.values()][0]?.state).toBe('open');
      expect(chain.offer(signed({ messages: [claim(chain)], sequence: 1n }))).toBe(null);
      chain.mine();
      expect([...chain.tip().state.payments.values()][0]?.state).toBe(early ? 'completed' : 'refunded');
      expect(chain.tip().transactions[0]?.result.code).toBe(early ? 0 : 8);
      // The fee of a claim that comes too late is paid all the same.
      expect(has(chain, PAYER)).toBe(1_000_000n - 30_000n - (early ? PAID : 0n));
      expect(has(chain, OTHER)).toBe(early ? PAID : 0n);
    }
  });

  it.each([49n, 34_561n])('refuses a lock of %s blocks, and takes the fee', (timeLock) => {
    const chain = chainOf();
    chain.offer(signed({ messages: [payment(timeLock)] }));
    chain.mine();
    expect(chain.tip().transactions[0]?.result.code).not.toBe(0);
    expect(has(chain, PAYER)).toBe(1_000_000n - 15_000n);
  });
});

describe('a block of a chain in this process', () => {
  it('charges for what runs out of gas, and uses its sequence', () => {
    const chain = chainOf();
    chain.offer(signed({ messages: [payment(50n)], gas: 20_000n }));
    chain.mine();
    expect(chain.tip().transactions[0]?.result).toMatchObject({ code: 11, codespace: 'sdk' });
    expect(chain.tip().state.accounts.get(PAYER)?.sequence).toBe(1n);
    expect(chain.tip().state.payments.size).toBe(0);
  });

  it('holds nothing whose last block has passed, and a node forgets it', () => {
    const chain = chainOf();
    const { height } = chain.tip();
    const late = signed({ messages: [payment(50n)], timeoutHeight: BigInt(height) });
    expect(chain.offer(late)).toMatchObject({ code: 30 });
    expect(chain.offer(signed({ messages: [payment(50n)], timeoutHeight: BigInt(height + 1) }))).toBe(null);
    chain.mine();
    expect(chain.tip().transactions.length).toBe(1);
  });

  it('accepts several from one account in the order of their sequences, and none that waits in the place of another', () => {
    const chain = chainOf();
    const send = (amount: bigint): TendermintMessage => ({
      ...{ kind: 'send', from: PAYER, to: OTHER, coins: [{ denom: 'unucl', amount }] },
    });
    expect(chain.offer(signed({ messages: [send(1n)], sequence: 1n }))).toMatchObject({ code: 32 });
    expect(chain.offer(signed({ messages: [send(2n)] }))).toBe(null);
    expect(chain.offer(signed({ messages: [send(3n)] }))).toMatchObject({ code: 32 });
    expect(chain.offer(signed({ messages: [send(4n)], sequence: 1n }))).toBe(null);
    chain.mine();
    expect(has(chain, OTHER)).toBe(6n);
    chain.offer(signed({ messages: [send(5n)], sequence: 2n }));
    chain.forget();
    chain.mine();
    expect(has(chain, OTHER)).toBe(6n);
  });
});

describe('a node that is not as it should be', () => {
  const chain = chainOf();
  chain.mine(20);
  const tip = chain.tip().height;
  const heightOf = (node: ReturnType<typeof createCometNode>) => {
    const { sync_info: info } = node.request('status', {}) as { readonly sync_info: Readonly<Record<string, string>> };
    return Number(info['latest_block_height']);
  };

  it('is stuck, or answers from the past', () => {
    const node = createCometNode(chain, { shows: () => tip - 7 });
    expect(heightOf(node)).toBe(tip - 7);
    expect(() => node.request('block', { height: String(tip) })).toThrow('Internal error');
  });

  it('keeps the last blocks alone', () => {
    const node = createCometNode(chain, { keeps: 3 });
    const asked = (height: number) =>
      node.request('abci_query', { path: '/cosmos.bank.v1beta1.Query/Balance', data: '', height: String(height) });
    expect(asked(tip - 2)['response']).toMatchObject({ code: 0 });
    expect(asked(tip - 3)['response']).toMatchObject({ code: 18 });
    expect(() => node.request('block', { height: String(tip - 3) })).toThrow('Internal error');
  });

  it('is one of another chain, has no index, or answers what it likes', () => {
    const node = createCometNode(chain, { chainId: 'irishub-1' });
    expect(node.request('status', {})).toMatchObject({ node_info: { network: 'irishub-1' } });
    node.behave({ hasNoIndex: true });
    expect(() => node.request('tx_search', { query: 'tx.height=1' })).toThrow('Internal error');
    node.behave({ alter: (answer, method) => (method === 'health' ? { sick: true } : answer) });
    expect(node.request('health', {})).toEqual({ sick: true });
    expect(() => node.request('no_such', {})).toThrow('Method not found');
  });
});
