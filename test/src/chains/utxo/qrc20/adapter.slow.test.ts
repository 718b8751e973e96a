import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUtxoChain, type UtxoChain } from '../../../../../src/chains/utxo/adapter.ts';
import { createDaemonReader } from '../../../../../src/chains/utxo/daemon/reader.ts';
import type { Qrc20Chain } from '../../../../../src/chains/utxo/qrc20/adapter.ts';
import type { Qrc20Token } from '../../../../../src/chains/utxo/qrc20/token.ts';
import { Reservations } from '../../../../../src/chains/utxo/reservations.ts';
import { concatBytes } from '../../../../../src/htlc/byte-writer.ts';
import {
  contractCallScript,
  DEX_FEE_KEY_HASH,
  decodeTransaction,
  encodeSwapCall,
  gasCost,
  isTransactionProblem,
  transferCall,
} from '../../../../../src/htlc/index.ts';
import type { PaymentTerms, PreparedTransaction } from '../../../../../src/ports/chain.ts';
import { type DecimalText, fromBaseUnits, toBaseUnits } from '../../../../../src/primitives/decimal.ts';
import { hash160, sha256 } from '../../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../../src/primitives/hex.ts';
import type { UnixSeconds } from '../../../../../src/primitives/time.ts';
import { answerOf } from '../../../../../src/testing/contracts/chain/scene.ts';
import { ANVIL } from '../../../../support/evm/anvil.ts';
import { signerOf } from '../../../../support/litecoin/chain.ts';
import { describeWith } from '../../../../support/optional-part.ts';
import { tokenOf, tokenWallet } from '../../../../support/qtum/adapter-chain.ts';
import { accountOf, QTUM_COIN, QTUM_MATURITY, QtumTestChain } from '../../../../support/qtum/chain.ts';
import { type VirtualClock, virtualClock } from '../../../../support/virtual-clock.ts';

const SWAP = { swap: '8a7e1d7c-3f5e-4a51-9d0b-6f6f1a2b3c4d' } as const;
const FIRST = { urgency: 0, replaces: null } as const;

describeWith(ANVIL, 'a QRC20 token', () => {
  let chain: QtumTestChain;
  let clock: VirtualClock;
  let coin: Qrc20Token;
  let payer: Qrc20Chain;
  let taker: Qrc20Chain;
  let made = 0;

  beforeAll(async () => {
    chain = await QtumTestChain.start();
    coin = await tokenOf(chain, { payer: 9_000_000n, taker: 2_000_000n, rich: 5_000_000n });
    await chain.fund('payer', { count: 30, value: 300_000_000n });
    await chain.fund('taker', { count: 20, value: 200_000_000n });
    await chain.fund('rich', { count: 5, value: 400_000_000n });
    clock = virtualClock(chain.now * 1000);
    payer = wallet('payer');
    taker = wallet('taker');
  }, 60_000);
  afterAll(() => chain.close());

  const wallet = (name: string, reservations?: Reservations): Qrc20Chain =>
    tokenWallet(chain, name, { coin, clock, ...(reservations === undefined ? {} : { reservations }) });

  /** Of a swap of its own: 0.75 of the token for the taker, for an hour. */
  function termsOf(changes: Partial<PaymentTerms> = {}): { readonly terms: PaymentTerms; readonly secret: string } {
    made += 1;
    const secret = bytesToHex(sha256(Uint8Array.of(0x51, made)));
    const terms = {
      lock: (chain.now + 3600) as UnixSeconds,
      secretHash: bytesToHex(hash160(hexToBytes(secret))),
      sender: payer.htlcKey(''),
      receiver: taker.htlcKey(''),
      amount: '0.75' as DecimalText,
      contract: coin.contract,
      ...changes,
    };
    return { terms, secret };
  }

  const prepared = (terms: PaymentTerms) => answerOf(payer.prepare({ purpose: 'payment', terms, ...FIRST }, SWAP));

  async function paid(terms: PaymentTerms): Promise<PreparedTransaction> {
    const payment = await prepared(terms);
    await answerOf(payer.broadcast(payment));
    await chain.mine();
    return payment;
  }

  async function claimed(
    terms: PaymentTerms,
    given: { funding: PreparedTransaction; secret: string },
  ): Promise<PreparedTransaction> {
    const claim = await answerOf(taker.prepare({ purpose: 'claim', terms, ...given, ...FIRST }, SWAP));
    await answerOf(taker.broadcast(claim));
    return claim;
  }

  const tokensOf = (account: string): Promise<bigint> => chain.machine.evm.tokensOf(coin.token, account);
  /** By a call that stands in no block of the chain. */
  const moveAway = (name: string, amount: bigint) =>
    chain.machine.apart(() =>
      chain.machine.evm.act({
        from: accountOf(name),
        to: coin.token,
        data: `0x${transferCall('ee'.repeat(20), amount)}`,
      }),
    );

  it('moves the amount with a payment and a claim, in units of the token and not of its chain', async () => {
    const { terms, secret } = termsOf();
    const before = [await tokensOf(accountOf('payer')), await tokensOf(accountOf('taker'))];
    const funding = await paid(terms);
    expect(await tokensOf(chain.swapContract)).toBe(750_000n);
    await claimed(terms, { funding, secret });
    await chain.mine();
    expect([await tokensOf(accountOf('payer')), await tokensOf(accountOf('taker'))]).toEqual([
      (before[0] as bigint) - 750_000n,
      (before[1] as bigint) + 750_000n,
    ]);
    expect(await tokensOf(chain.swapContract)).toBe(0n);
    expect(await chain.machine.evm.allowance(coin.token, accountOf('payer'))).toBe(0n);
  });

  it('is not paid by a confirmed call that failed', async () => {
    const { terms } = termsOf();
    const payment = await prepared(terms);
    const all = await tokensOf(accountOf('payer'));
    await moveAway('payer', all);
    await answerOf(payer.broadcast(payment));
    await chain.mine();
    expect(await answerOf(payer.transaction(payment.tx_hash))).toMatchObject({ status: 'reverted', confirmations: 1 });
    expect(await answerOf(taker.payment({ terms }))).toMatchObject({ funding: null, problem: null, spend: null });
    const shown = await answerOf(taker.payment({ terms, claimed: payment.tx_hex }));
    expect(shown).toMatchObject({ funding: null, problem: 'Contract call failed with an error: Revert' });
    await chain.machine.apart(() => chain.machine.evm.mint(coin.token, accountOf('payer'), 9_000_000n));
    // What failed is no hindrance: the next variant stands alone, and is the payment.
    const request = { purpose: 'payment', terms, urgency: 1, replaces: payment } as const;
    const next = await answerOf(payer.prepare(request, SWAP));
    await answerOf(payer.broadcast(next));
    await chain.mine();
    const view = await answerOf(taker.payment({ terms }));
    expect([view.funding?.tx.tx_hash, view.problem]).toEqual([next.tx_hash, null]);
    expect(await payer.prepare({ ...request, replaces: next }, SWAP)).toMatchObject({
      ok: false,
      fault: { kind: 'inputsSpent' },
    });
  });

  it('is paid if an approval before the payment failed and the payment did not', async () => {
    const { terms } = termsOf();
    const payment = await prepared(terms);
    const tx = decodeTransaction(hexToBytes(payment.tx_hex));
    if (isTransactionProblem(tx)) throw new Error(tx.problem);
    await answerOf(payer.broadcast(payment));
    await chain.mine();
    const [approval] = chain.machine.receiptsOf(payment.tx_hash);
    // The receipt of the first output is told as failed; what counts is that of the last.
    Object.assign(approval as object, { excepted: 'Revert' });
    expect(await answerOf(payer.transaction(payment.tx_hash))).toMatchObject({ status: 'confirmed' });
    expect((await answerOf(taker.payment({ terms }))).problem).toBeNull();
  });

  it('has a trading fee that is believed only by its receipt', async () => {
    const feeSat = 12_345n;
    const fee = await answerOf(payer.prepare({ purpose: 'fee', feeSat, burnSat: 0n, ...FIRST }, SWAP));
    const check = { tx: fee.tx_hex, hash: fee.tx_hash, payer: payer.htlcKey(''), feeSat, burnSat: 0n, minHeight: 0 };
    const all = await tokensOf(accountOf('payer'));
    await moveAway('payer', all);
    await answerOf(payer.broadcast(fee));
    expect(await answerOf(taker.checkFee(check, SWAP))).toBeNull();
    await chain.mine();
    expect(await answerOf(taker.checkFee(check, SWAP))).toBe('Contract call failed with an error: Revert');
    await chain.machine.apart(() => chain.machine.evm.mint(coin.token, accountOf('payer'), 9_000_000n));
    const next = await answerOf(
      payer.prepare({ purpose: 'fee', feeSat, burnSat: 0n, urgency: 1, replaces: fee }, SWAP),
    );
    await answerOf(payer.broadcast(next));
    await chain.mine();
    const again = { ...check, tx: next.tx_hex, hash: next.tx_hash };
    expect(await answerOf(taker.checkFee(again, SWAP))).toBeNull();
    expect(await tokensOf(DEX_FEE_KEY_HASH)).toBe(feeSat);
    expect(await answerOf(taker.checkFee({ ...again, feeSat: feeSat + 1n }, SWAP))).toContain('less than');
    expect(await answerOf(taker.checkFee({ ...again, burnSat: 1n }, SWAP))).toContain('less than');
    const other = await answerOf(taker.checkFee({ ...again, payer: taker.htlcKey('') }, SWAP));
    expect(other).toContain('Invalid sender');
  });

  it('reports the other side’s refund, and the claim that a reorganization puts in its place', async () => {
    const { terms, secret } = termsOf({ lock: (chain.now + 200) as UnixSeconds });
    const funding = await paid(terms);
    await chain.passTime(terms.lock);
    const refund = await answerOf(payer.prepare({ purpose: 'refund', terms, funding, ...FIRST }, SWAP));
    await answerOf(payer.broadcast(refund));
    await chain.mine();
    const seen = async () => (await answerOf(taker.payment({ terms }))).spend;
    expect(await seen()).toMatchObject({
      how: 'refund',
      confirmations: 1,
      secret: null,
      tx: { tx_hash: refund.tx_hash },
    });
    // The block with the refund is given up, and what waited is forgotten: a claim is first now.
    await chain.undo(1);
    await chain.restart();
    expect(await seen()).toBeNull();
    const claim = await claimed(terms, { funding, secret });
    expect(await seen()).toMatchObject({ how: 'secret', confirmations: 0, secret });
    await answerOf(payer.broadcast(refund));
    await chain.mine();
    expect(await seen()).toMatchObject({ how: 'secret', confirmations: 1, secret, tx: { tx_hash: claim.tx_hash } });
    expect(await answerOf(payer.transaction(refund.tx_hash))).toMatchObject({ status: 'reverted' });
  });

  it('reports a claim that another account pays for, with its secret', async () => {
    const { terms, secret } = termsOf();
    await paid(terms);
    const call = encodeSwapCall({
      ...{ kind: 'claim', swapId: idOf(terms), amount: 750_000n, token: coin.token },
      ...{ party: accountOf('payer'), secret },
    });
    const script = contractCallScript({
      ...{ gasLimit: 200_000n, gasPrice: 40n, data: hexToBytes(call), contract: chain.swapContract },
    });
    const named = Uint8Array.of(0x51, 0x14, ...hexToBytes(accountOf('taker')), 0x01, 0x00, 0xc4);
    const txid = chain.pay([{ value: 0n, script: concatBytes([named, script]) }], { gas: 8_000_000n });
    await chain.mine();
    const view = await answerOf(payer.payment({ terms }));
    expect(view.spend).toMatchObject({ how: 'secret', secret, confirmations: 1, tx: { tx_hash: txid } });
  });

  it.each(['rich', 'taker'])(
    'does not count as paid by what somebody else paid under the id of its swap (%s)',
    async (who) => {
      const { terms } = termsOf();
      const other = wallet(who);
      const theirs = { ...terms, sender: other.htlcKey(''), amount: '0.000001' as DecimalText };
      await answerOf(
        other.broadcast(await answerOf(other.prepare({ purpose: 'payment', terms: theirs, ...FIRST }, SWAP))),
      );
      await chain.mine();
      expect(await answerOf(payer.payment({ terms }))).toMatchObject({ funding: null, problem: expect.any(String) });
      expect((await answerOf(taker.payment({ terms }))).problem).toContain('Payment hash');
      expect(await payer.prepare({ purpose: 'payment', terms, ...FIRST }, SWAP)).toMatchObject({
        ok: false,
        fault: { kind: 'invalid' },
      });
    },
  );

  it('reveals no secret for a payment that the contract does not hold', async () => {
    const { terms, secret } = termsOf();
    const funding = await prepared(terms);
    const request = { purpose: 'claim', terms, funding, secret, ...FIRST } as const;
    expect(await taker.prepare(request, SWAP)).toMatchObject({ ok: false, fault: { kind: 'unavailable' } });
    payer.release([funding]);
  });

  it('costs its gas and its bytes; the block returns unused gas as late as any reward', async () => {
    const { terms } = termsOf();
    const qtum = platform('payer');
    const before = await answerOf(qtum.balances());
    const payment = await paid(terms);
    const tx = decodeTransaction(hexToBytes(payment.tx_hex));
    if (isTransactionProblem(tx)) throw new Error(tx.problem);
    const units = (text: string) => toBaseUnits(text as DecimalText, 8);
    const gas = gasCost(tx.outputs);
    expect(gas).toBe((100_000n + 200_000n) * 40n);
    const bytes = (units(payment.fee) - gas) * 1000n;
    const size = BigInt(payment.tx_hex.length / 2);
    expect(bytes >= QTUM_COIN.fees.floor * size && bytes <= 500_000n * (size + 5n)).toBe(true);
    const after = await answerOf(qtum.balances());
    expect(units(before.spendable) - units(after.spendable)).toBe(units(payment.fee));
    const used = chain.machine.receiptsOf(payment.tx_hash).reduce((sum, { gasUsed }) => sum + BigInt(gasUsed), 0n);
    expect(units(after.unspendable) - units(before.unspendable)).toBe(gas - used * 40n);
    await chain.mine(QTUM_MATURITY);
    const late = await answerOf(qtum.balances());
    expect(late.unspendable).toBe('0');
  });

  it('shares the coins of its chain with the chain’s own coin: neither takes what the other has signed for', async () => {
    const reservations = new Reservations();
    const token = wallet('payer', reservations);
    const qtum = platform('payer', reservations);
    const { terms } = termsOf();
    const ownTerms = { ...terms, contract: null, amount: '1.5' as DecimalText };
    const [payment, own] = await Promise.all([
      answerOf(token.prepare({ purpose: 'payment', terms, ...FIRST }, SWAP)),
      answerOf(qtum.prepare({ purpose: 'payment', terms: ownTerms, ...FIRST }, SWAP)),
    ]);
    expect(payment.spends.filter((spend) => own.spends.includes(spend))).toEqual([]);
    const { spendable, coming = '0' } = await answerOf(qtum.quote());
    const all = fromBaseUnits(toBaseUnits(spendable, 8) + toBaseUnits(coming as DecimalText, 8), 8);
    qtum.hold?.({ swap: 'another', amount: all });
    const other = termsOf().terms;
    expect(await token.prepare({ purpose: 'payment', terms: other, ...FIRST }, SWAP)).toMatchObject({
      ok: false,
      fault: { kind: 'coinsPromised', message: expect.stringContaining('QTUM') },
    });
    qtum.hold?.({ swap: 'another', amount: '0' as DecimalText });
    // What ends of payments will cost is held of the coin, and told by the token.
    token.hold?.({ swap: 'another', amount: '0' as DecimalText, fees: all });
    const request = { purpose: 'payment', terms: { ...ownTerms, secretHash: other.secretHash }, ...FIRST } as const;
    expect(await qtum.prepare(request, SWAP)).toMatchObject({ ok: false, fault: { kind: 'coinsPromised' } });
  });

  it('pays the gas of no payment that it could not refund', async () => {
    await chain.machine.apart(() => chain.machine.evm.mint(coin.token, accountOf('poor'), 9_000_000n));
    const poor = wallet('poor');
    const { paymentFee } = await answerOf(poor.quote());
    const terms = { ...termsOf().terms, sender: poor.htlcKey('') };
    const request = { purpose: 'payment', terms, ...FIRST } as const;
    expect(await poor.prepare(request, SWAP)).toMatchObject({ ok: false, fault: { kind: 'insufficientFunds' } });
    const fee = toBaseUnits(paymentFee, 8);
    // Enough for the payment, and for half of what taking it back costs.
    await chain.fund('poor', { count: 1, value: fee - 5_000_000n });
    expect(await poor.prepare(request, SWAP)).toMatchObject({ ok: false, fault: { kind: 'insufficientFunds' } });
    await chain.fund('poor', { count: 1, value: 5_000_000n });
    const payment = await answerOf(poor.prepare(request, SWAP));
    expect(toBaseUnits(payment.refundFee as DecimalText, 8)).toBeGreaterThan(8_000_000n);
  });

  it('is withdrawn to an address, without what swaps hold', async () => {
    const rich = wallet('rich');
    const { spendable } = await answerOf(rich.quote());
    const all = toBaseUnits(spendable, coin.decimals);
    rich.hold?.({ swap: 'a swap', amount: '1.25' as DecimalText });
    const to = '5e'.repeat(20);
    const more = await rich.withdraw({ to, amount: all - 1_249_999n, gas: null });
    expect(more).toMatchObject({ ok: false, fault: { kind: 'insufficientFunds' } });
    const withdrawn = await answerOf(rich.withdraw({ to, amount: null, gas: null }));
    expect(toBaseUnits(withdrawn.spent, coin.decimals)).toBe(all - 1_250_000n);
    await answerOf(rich.send(withdrawn));
    await chain.mine();
    expect(await tokensOf(to)).toBe(all - 1_250_000n);
    expect(await rich.withdraw({ to, amount: 1n, gas: null })).toMatchObject({ ok: false });
  });

  describe('whose calls a block holds, and nobody reports what became of them', () => {
    /** As of a node that has forgotten them, or does not have them yet. */
    async function untold<T>(work: () => Promise<T>): Promise<T> {
      const told = chain.machine.receiptsOf;
      chain.machine.receiptsOf = () => [];
      try {
        return await work();
      } finally {
        chain.machine.receiptsOf = told;
      }
    }
    const UNTOLD = { ok: false, fault: { kind: 'unavailable', message: expect.stringContaining('no server reports') } };

    it('is neither confirmed nor reverted, paid nor unpaid', async () => {
      const { terms, secret } = termsOf();
      const funding = await paid(terms);
      const [standing, view, again] = await untold(() =>
        Promise.all([
          payer.transaction(funding.tx_hash),
          taker.payment({ terms }),
          payer.prepare({ purpose: 'payment', terms, urgency: 1, replaces: funding }, SWAP),
        ]),
      );
      expect([standing, view, again]).toEqual([UNTOLD, UNTOLD, UNTOLD].map((one) => expect.objectContaining(one)));
      const claim = await claimed(terms, { funding, secret });
      await chain.mine();
      const end = await untold(() => Promise.all([payer.payment({ terms }), taker.transaction(claim.tx_hash)]));
      expect(end).toEqual([UNTOLD, UNTOLD].map((one) => expect.objectContaining(one)));
      expect((await answerOf(payer.payment({ terms }))).spend).toMatchObject({ how: 'secret', secret });
    });

    it('pays no fee a second time, and judges none', async () => {
      const feeSat = 4_321n;
      const request = { purpose: 'fee', feeSat, burnSat: 0n } as const;
      const fee = await answerOf(payer.prepare({ ...request, ...FIRST }, SWAP));
      await answerOf(payer.broadcast(fee));
      await chain.mine();
      const check = { tx: fee.tx_hex, hash: fee.tx_hash, payer: payer.htlcKey(''), feeSat, burnSat: 0n, minHeight: 0 };
      const answers = await untold(() =>
        Promise.all([payer.prepare({ ...request, urgency: 1, replaces: fee }, SWAP), taker.checkFee(check, SWAP)]),
      );
      expect(answers).toEqual([UNTOLD, UNTOLD].map((one) => expect.objectContaining(one)));
      expect(await answerOf(taker.checkFee(check, SWAP))).toBeNull();
    });
  });

  function platform(name: string, reservations?: Reservations): UtxoChain {
    const signer = signerOf(name);
    const { decimals, medianBlocks } = QTUM_COIN;
    return createUtxoChain({
      coin: QTUM_COIN,
      reader: createDaemonReader({ client: chain.client, birth: 0, decimals, medianBlocks }),
      signer: { coins: signer, ofSwap: () => signer },
      ...{ clock, birth: 0, poll: 5 },
      ...(reservations === undefined ? {} : { reservations }),
    });
  }

  function idOf({ lock, secretHash }: PaymentTerms): string {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, lock, true);
    return bytesToHex(sha256(concatBytes([bytes, hexToBytes(secretHash)])));
  }
});
