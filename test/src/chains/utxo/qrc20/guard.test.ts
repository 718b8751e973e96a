import { encodeFunctionData, maxUint256, parseAbi } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createUtxoChain, type UtxoChain } from '../../../../../src/chains/utxo/adapter.ts';
import { createDaemonReader } from '../../../../../src/chains/utxo/daemon/reader.ts';
import type { Qrc20Chain } from '../../../../../src/chains/utxo/qrc20/adapter.ts';
import type { Qrc20Token } from '../../../../../src/chains/utxo/qrc20/token.ts';
import { Reservations } from '../../../../../src/chains/utxo/reservations.ts';
import { signCoins } from '../../../../../src/chains/utxo/sign-coins.ts';
import { concatBytes } from '../../../../../src/htlc/byte-writer.ts';
import { contractCallScript, encodeSwapCall, pushData } from '../../../../../src/htlc/index.ts';
import type { PaymentTerms, SignedTransaction } from '../../../../../src/ports/chain.ts';
import { type DecimalText, fromBaseUnits } from '../../../../../src/primitives/decimal.ts';
import { hash160, sha256 } from '../../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../../src/primitives/hex.ts';
import type { UnixSeconds } from '../../../../../src/primitives/time.ts';
import { answerOf } from '../../../../../src/testing/contracts/chain/scene.ts';
import { ANVIL } from '../../../../support/evm/anvil.ts';
import { signerOf } from '../../../../support/litecoin/chain.ts';
import { describeWith } from '../../../../support/optional-part.ts';
import { TOKEN_DECIMALS, tokenOf, tokenWallet } from '../../../../support/qtum/adapter-chain.ts';
import { accountOf, QTUM_COIN, QtumTestChain } from '../../../../support/qtum/chain.ts';
import { type VirtualClock, virtualClock } from '../../../../support/virtual-clock.ts';

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
  'function decreaseAllowance(address spender, uint256 amount)',
  'function burn(uint256 amount)',
]);
const SWAP = { swap: '8a7e1d7c-3f5e-4a51-9d0b-6f6f1a2b3c4d' } as const;
const FIRST = { urgency: 0, replaces: null } as const;
const [FRIEND, ELSEWHERE] = ['ee'.repeat(20), 'dd'.repeat(20)];
/** Base units of the token that the owner has, that a swap has signed for, and that another holds. */
const [ALL, SIGNED, HELD] = [9_000_000n, 750_000n, 1_250_000n];
const FREE = ALL - SIGNED - HELD;
const PROMISED = { ok: false, fault: { kind: 'coinsPromised' } };

/** Call data in hex without 0x. */
const call = (wanted: Parameters<typeof encodeFunctionData<typeof abi>>[0]): string =>
  encodeFunctionData(wanted).slice(2);
const hex0 = (hex: string): `0x${string}` => `0x${hex}`;
const owned = (functionName: 'transfer' | 'approve' | 'increaseAllowance' | 'decreaseAllowance') => {
  return (whose: string, amount: bigint) => call({ abi, functionName, args: [hex0(whose), amount] });
};
const [transfer, approve] = [owned('transfer'), owned('approve')];

type Called = { readonly contract: string; readonly data: string };

describeWith(ANVIL, 'bytes that an owner of QRC20 tokens signed elsewhere', () => {
  let chain: QtumTestChain;
  let clock: VirtualClock;
  let coin: Qrc20Token;
  let reservations: Reservations;
  let token: Qrc20Chain;
  let qtum: UtxoChain;
  let used = 0;

  beforeAll(async () => {
    chain = await QtumTestChain.start();
    coin = await tokenOf(chain, { owner: ALL });
    await chain.fund('owner', { count: 40, value: 300_000_000n });
    await chain.mine();
    clock = virtualClock(chain.now * 1000);
    reservations = new Reservations();
    token = tokenWallet(chain, 'owner', { coin, clock, reservations });
    qtum = platform();
    await answerOf(qtum.balances());
    const terms = termsOf(1);
    // It is signed, and in no block.
    await answerOf(token.prepare({ purpose: 'payment', terms, ...FIRST }, SWAP));
    token.hold?.({ swap: 'another', amount: fromBaseUnits(HELD, TOKEN_DECIMALS) });
  }, 60_000);
  afterAll(() => chain?.close());

  function platform(): UtxoChain {
    const signer = signerOf('owner');
    const { decimals, medianBlocks } = QTUM_COIN;
    return createUtxoChain({
      coin: QTUM_COIN,
      reader: createDaemonReader({ client: chain.client, birth: 0, decimals, medianBlocks }),
      signer: { coins: signer, ofSwap: () => signer },
      ...{ clock, birth: 0, poll: 5, reservations },
    });
  }

  function termsOf(nonce: number): PaymentTerms {
    return {
      lock: (chain.now + 3600) as UnixSeconds,
      secretHash: bytesToHex(hash160(sha256(Uint8Array.of(nonce)))),
      sender: bytesToHex(signerOf('owner').key),
      receiver: bytesToHex(signerOf('receiver').key),
      amount: fromBaseUnits(SIGNED, TOKEN_DECIMALS) as DecimalText,
      contract: coin.contract,
    };
  }

  /** A transaction of the owner whose outputs make these calls, or have these scripts. */
  async function signed(...parts: readonly (Called | Uint8Array)[]): Promise<SignedTransaction> {
    used += 1;
    const txid = chain.pay([{ value: 200_000_000n, script: scriptOf(accountOf('owner')) }]);
    await chain.mine();
    const outputs = parts.map((part) => ({
      value: 0n,
      script:
        part instanceof Uint8Array
          ? part
          : contractCallScript({
              ...{ gasLimit: 100_000n, gasPrice: 40n, contract: part.contract, data: hexToBytes(part.data) },
            }),
    }));
    const paid = { txid, vout: 0, value: 200_000_000n, bare: false };
    const change = { value: 200_000_000n - 50_000_000n, script: scriptOf(accountOf('owner')) };
    const made = await signCoins([paid], { outputs: [...outputs, change], coin: QTUM_COIN, signer: signerOf('owner') });
    return { tx_hex: made.hex, tx_hash: made.txid };
  }

  const scriptOf = (account: string): Uint8Array => Uint8Array.of(0x76, 0xa9, 0x14, ...hexToBytes(account), 0x88, 0xac);
  const own = (data: string): Called => ({ contract: coin.token, data });

  const taking = (): readonly (readonly [string, Called | Uint8Array])[] => [
    ['moves what is held', own(transfer(FRIEND, FREE + 1n))],
    ['lets somebody else take it', own(approve(FRIEND, FREE + 1n))],
    ['lets somebody else take all', own(approve(FRIEND, maxUint256))],
    ['lets somebody else take more', own(owned('increaseAllowance')(FRIEND, FREE + 1n))],
    [
      'takes it as somebody who may',
      own(call({ abi, functionName: 'transferFrom', args: [hex0(accountOf('owner')), hex0(FRIEND), FREE + 1n] })),
    ],
    ['calls a function that no standard has', own(call({ abi, functionName: 'burn', args: [1n] }))],
    ['is written as no standard writes it', own(`${transfer(FRIEND, 1n)}00`)],
    ['calls another contract, which may be allowed to take it', { contract: ELSEWHERE, data: transfer(FRIEND, 1n) }],
    [
      'pays it by another swap contract',
      {
        contract: ELSEWHERE,
        data: encodeSwapCall({
          ...{ kind: 'payment', swapId: '1d'.repeat(32), amount: 1n, token: coin.token, party: FRIEND },
          ...{ secretHash: '2e'.repeat(20), lockTime: 1n },
        }),
      },
    ],
    [
      'pays it by the swap contract',
      {
        contract: coin.contract,
        data: encodeSwapCall({
          ...{ kind: 'payment', swapId: '1d'.repeat(32), amount: FREE + 1n, token: coin.token, party: FRIEND },
          ...{ secretHash: '2e'.repeat(20), lockTime: 1n },
        }),
      },
    ],
    ['changes the approval of a payment that waits', own(approve(coin.contract, 5n))],
    ['lowers the approval of a payment that waits', own(owned('decreaseAllowance')(coin.contract, 5n))],
    [
      'creates a contract, which may be allowed to take it',
      Uint8Array.of(0x01, 0x04, 0x01, 0x28, 0x01, 0x28, 0x01, 0x00, 0xc1),
    ],
    ['calls in a way that cannot be read', Uint8Array.of(0x55, 0x01, 0x28, 0x01, 0x28, 0x01, 0x00, 0xc2)],
  ];

  it('go out through neither coin if they may take what swaps need of the token', async () => {
    for (const [what, part] of taking()) {
      const bytes = await signed(part);
      for (const wallet of [token, qtum]) expect(await wallet.send(bytes), what).toMatchObject(PROMISED);
    }
    expect(used).toBe(14);
  });

  it('are added up over their outputs', async () => {
    const half = (FREE + 2n) / 2n;
    const bytes = await signed(own(transfer(FRIEND, half)), own(approve(FRIEND, half)));
    expect(await qtum.send(bytes)).toMatchObject(PROMISED);
  });

  it('count as the owner’s if an output names the owner, or a bare key pays', async () => {
    const script = contractCallScript({
      ...{ gasLimit: 100_000n, gasPrice: 40n, contract: coin.token, data: hexToBytes(transfer(FRIEND, FREE + 1n)) },
    });
    const named = (account: string) =>
      concatBytes([Uint8Array.of(0x51, 0x14, ...hexToBytes(account), 0x01, 0x00, 0xc4), script]);
    expect(await qtum.send(await signed(named(accountOf('owner'))))).toMatchObject(PROMISED);
    const key = signerOf('owner').key;
    const txid = chain.pay([{ value: 200_000_000n, script: concatBytes([pushData(key), Uint8Array.of(0xac)]) }]);
    await chain.mine();
    const bare = await signCoins([{ txid, vout: 0, value: 200_000_000n, bare: true }], {
      outputs: [
        { value: 0n, script },
        { value: 150_000_000n, script: scriptOf(accountOf('owner')) },
      ],
      ...{ coin: QTUM_COIN, signer: signerOf('owner') },
    });
    expect(await qtum.send({ tx_hex: bare.hex, tx_hash: bare.txid })).toMatchObject(PROMISED);
    // The same in the name of somebody else is none of the owner's business.
    expect(await qtum.send(await signed(named(accountOf('stranger'))))).not.toMatchObject(PROMISED);
  });

  it('go out if they leave what swaps need, and count as spent from then on, whichever coin sent them', async () => {
    await answerOf(qtum.send(await signed(own(transfer(FRIEND, FREE - 1_000n)))));
    expect((await answerOf(token.quote())).spendable).toBe(fromBaseUnits(HELD + 1_000n, TOKEN_DECIMALS));
    expect(await token.send(await signed(own(transfer(FRIEND, 1_001n))))).toMatchObject(PROMISED);
    await answerOf(token.send(await signed(own(transfer(FRIEND, 1_000n)))));
    await answerOf(qtum.send(await signed()));
  });

  it('go out unchanged if no swap needs anything', async () => {
    const [free, other] = [new Reservations(), 'free'] as const;
    await chain.fund(other, { count: 5, value: 300_000_000n });
    const wallet = tokenWallet(chain, other, { coin, clock, reservations: free });
    const script = contractCallScript({
      ...{ gasLimit: 100_000n, gasPrice: 40n, contract: coin.token, data: hexToBytes(approve(FRIEND, maxUint256)) },
    });
    const txid = chain.pay([{ value: 200_000_000n, script: scriptOf(accountOf(other)) }]);
    await chain.mine();
    const made = await signCoins([{ txid, vout: 0, value: 200_000_000n, bare: false }], {
      outputs: [
        { value: 0n, script },
        { value: 150_000_000n, script: scriptOf(accountOf(other)) },
      ],
      ...{ coin: QTUM_COIN, signer: signerOf(other) },
    });
    await answerOf(wallet.send({ tx_hex: made.hex, tx_hash: made.txid }));
    // Until a block tells what became of it, somebody may take all, and no swap begins with what may be gone.
    expect((await answerOf(wallet.quote())).spendable).toBe('0');
  });
});
