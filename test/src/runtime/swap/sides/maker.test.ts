import { describe, expect, it } from 'vitest';
import { initialMakerSwapContext, type MakerSwapContext } from '../../../../../machines/maker-swap/context.ts';
import { BURN_KEY } from '../../../../../src/htlc/dex-fee.ts';
import { negotiationMessage } from '../../../../../src/htlc/negotiation.ts';
import { hash160, sha256 } from '../../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../../src/primitives/hex.ts';
import type { SideInputs, Traits } from '../../../../../src/runtime/swap/side-inputs.ts';
import { makerEvents, makerFacts, secretHashOf } from '../../../../../src/runtime/swap/sides/maker.ts';
import { event } from '../../../../support/effect-turns.ts';
import {
  inputsOf,
  KEYS,
  keyFrom,
  makerNegotiated,
  makerSide,
  makerStarted,
  SECRET,
  TRAITS,
  txOf,
} from '../../../../support/side-contexts.ts';
import { UUID } from '../../../../support/swap-pair.ts';
import { NOW, quoteOf } from '../../../../support/turns.ts';

const plain = (name: string) => ({ tx_hex: name, tx_hash: name.repeat(32) });
const eventsAt = (state: string, context: MakerSwapContext = makerSide(), inputs: SideInputs = inputsOf('maker')) =>
  makerEvents(() => ({ state, context }), inputs);
const factsOf = (context: MakerSwapContext, { claimSeen = false, inputs = inputsOf('maker') } = {}) =>
  makerFacts('any', context, { ...inputs, claimSeen });

const HASH_20 = bytesToHex(hash160(hexToBytes(SECRET)));
const HASH_32 = bytesToHex(sha256(hexToBytes(SECRET)));
const longOn = (leg: 'maker' | 'taker'): Traits => ({ ...TRAITS, [leg]: { ...TRAITS[leg], secretHashBytes: 32 } });

describe('what a maker’s swap is to the effects', () => {
  it('is what its log says', () => {
    const context = makerSide({
      makerPayment: txOf('aa'),
      takerPayment: txOf('bb'),
      takerPaymentSpend: txOf('dd'),
      takerPaymentValidated: true,
      makerPaymentRefunded: true,
      lastEventAt: NOW,
    });
    expect(factsOf(context)).toEqual({
      role: 'maker',
      state: 'any',
      uuid: UUID,
      own: 'maker',
      other: 'taker',
      startBlocks: { maker: 2000, taker: 1000 },
      startedAt: 1_700_000_000,
      lockDuration: 7800,
      margin: 1560,
      race: { lock: 1_700_007_801, margin: 1560 },
      ownTerms: {
        lock: 1_700_015_600,
        secretHash: 'cc'.repeat(20),
        sender: KEYS.maker,
        receiver: keyFrom('21'),
        amount: '1.5',
        contract: null,
      },
      otherTerms: {
        lock: 1_700_007_801,
        secretHash: 'cc'.repeat(20),
        sender: keyFrom('22'),
        receiver: KEYS.taker,
        amount: '3',
        contract: null,
      },
      ownPayment: txOf('aa'),
      otherPayment: txOf('bb'),
      otherConfirmations: 5,
      otherValidated: true,
      watched: false,
      otherRequiresNota: true,
      claimFee: { coin: 'MARTY', amount: '0.0003', paid_from_trading_vol: false },
      ownConfirmations: 4,
      secret: SECRET,
      secretIsPublic: true,
      claim: txOf('dd'),
      refunded: true,
      rewardAsked: null,
      lastEventAt: NOW,
    });
  });
});

describe('what a maker’s swap is where its log says less', () => {
  it('is little before the start', () => {
    const inputs = inputsOf('maker', { lock_duration: 99 });
    expect(factsOf(initialMakerSwapContext(), { inputs })).toMatchObject({
      uuid: UUID,
      startedAt: null,
      lockDuration: 99,
      ownTerms: null,
      otherTerms: null,
      otherConfirmations: 1,
      ownConfirmations: 1,
      otherRequiresNota: false,
      claimFee: null,
      secret: null,
      lastEventAt: 0,
    });
    const foreign = { inputs: inputsOf('maker', null) };
    expect(factsOf(initialMakerSwapContext(), foreign)).toMatchObject({ uuid: '', lockDuration: 0 });
    expect(factsOf(makerSide(), foreign)).toMatchObject({ uuid: 'started', lockDuration: 7800 });
  });

  it('has a secret that may be known once its claim was tried, or is in the log', () => {
    expect(factsOf(makerSide()).secretIsPublic).toBe(false);
    expect(factsOf(makerSide(), { claimSeen: true }).secretIsPublic).toBe(true);
    expect(factsOf(makerSide({ takerPaymentSpend: txOf('dd') })).secretIsPublic).toBe(true);
  });

  it('has no terms before the negotiation, nor of a log without the start or the hash of the secret', () => {
    for (const half of [{ negotiated: null }, { started: null }, { started: makerStarted({ secret_hash: null }) }]) {
      const facts = factsOf(makerSide(half));
      expect([facts.ownTerms, facts.otherTerms]).toEqual([null, null]);
    }
  });

  it('has the contracts that were agreed on, else those of its start', () => {
    const started = makerStarted({ maker_coin_swap_contract_address: '0a', taker_coin_swap_contract_address: '0b' });
    const contracts = (negotiated: object) => {
      const { ownTerms, otherTerms } = factsOf(makerSide({ started, negotiated: makerNegotiated(negotiated) }));
      return [ownTerms?.contract, otherTerms?.contract];
    };
    expect(contracts({})).toEqual(['0a', '0b']);
    expect(contracts({ maker_coin_swap_contract_addr: '1a', taker_coin_swap_contract_addr: '1b' })).toEqual([
      '1a',
      '1b',
    ]);
  });

  it('has the persistent keys of a log that names no others', () => {
    const none = { maker_coin_htlc_pubkey: null, taker_coin_htlc_pubkey: null };
    const { ownTerms, otherTerms } = factsOf(
      makerSide({ started: makerStarted(none), negotiated: makerNegotiated(none) }),
    );
    expect([ownTerms?.sender, ownTerms?.receiver]).toEqual([keyFrom('10'), keyFrom('20')]);
    expect([otherTerms?.sender, otherTerms?.receiver]).toEqual([keyFrom('20'), keyFrom('10')]);
  });
});

const said = () => eventsAt('any');
const waits = (wait_until = 1_700_019_300) => event('MakerPaymentWaitRefundStarted', { wait_until });

describe('the events of a maker', () => {
  it('record the payments, and head for the refund if the taker’s payment is not valid', () => {
    expect(said().ownSent(txOf('aa'))).toStrictEqual(event('MakerPaymentSent', plain('aa')));
    expect(said().ownSendFailed('x')).toStrictEqual(event('MakerPaymentTransactionFailed', { error: 'x' }));
    expect(said().otherReceived(txOf('aa'))).toStrictEqual([
      event('TakerPaymentReceived', plain('aa')),
      event('TakerPaymentWaitConfirmStarted'),
    ]);
    expect(said().otherValidated()).toStrictEqual(event('TakerPaymentValidatedAndConfirmed'));
    expect(said().otherInvalid('x')).toStrictEqual([
      event('TakerPaymentValidateFailed', { error: '!taker_coin.validate_taker_payment: x' }),
      waits(),
    ]);
    expect(said().otherUnconfirmed('x')).toStrictEqual([
      event('TakerPaymentWaitConfirmFailed', { error: '!taker_coin.wait_for_confirmations: x' }),
      waits(),
    ]);
  });

  it('record the claim, whoever made it', () => {
    const claimed = [event('TakerPaymentSpent', plain('aa')), event('TakerPaymentSpendConfirmStarted')];
    expect(said().claimed(txOf('aa'))).toStrictEqual(claimed);
    expect(said().claimedByOther(txOf('aa'))).toStrictEqual(claimed);
    expect(said().claimConfirmed()).toStrictEqual(event('TakerPaymentSpendConfirmed'));
  });

  it('record a lost claim by the state that it was in', () => {
    const unconfirmed = { error: '!wait for taker payment spend confirmations: x' };
    for (const tell of ['claimFailed', 'claimUnconfirmed'] as const) {
      const at = (state: string) => eventsAt(state)[tell]('x');
      expect(at('claiming')).toStrictEqual([event('TakerPaymentSpendFailed', { error: 'x' }), waits()]);
      for (const state of ['claimSent', 'confirmingClaim']) {
        expect(at(state)).toStrictEqual([event('TakerPaymentSpendConfirmFailed', unconfirmed), waits()]);
      }
      expect(at('finished')).toEqual([]);
    }
  });

  it('report the refund', () => {
    expect(said().refundWaitStarted()).toStrictEqual(waits());
    expect(eventsAt('any', initialMakerSwapContext()).refundWaitStarted()).toStrictEqual(waits(3700));
    expect(said().refundStarted()).toStrictEqual(event('MakerPaymentRefundStarted'));
    for (const tell of ['refunded', 'refundedByOther'] as const) {
      expect(said()[tell](txOf('aa'))).toStrictEqual(event('MakerPaymentRefunded', plain('aa')));
      expect(said()[tell](null)).toStrictEqual(event('MakerPaymentRefunded'));
    }
    expect(said().refundFailed('x')).toStrictEqual(event('MakerPaymentRefundFailed', { error: 'x' }));
    expect(said().refundFinished()).toStrictEqual(event('MakerPaymentRefundFinished'));
  });

  it('close a swap whose coins are lost step by step', () => {
    const closes = (state: string) => eventsAt(state).closeLost('x');
    expect(closes('claimFailed')).toStrictEqual(waits());
    expect(closes('waitingForRefund')).toStrictEqual(event('MakerPaymentRefundStarted'));
    const error = '!maker_coin.send_maker_refunds_payment: x';
    expect(closes('refunding')).toStrictEqual(event('MakerPaymentRefundFailed', { error }));
    expect(closes('refundFailed')).toStrictEqual(event('Finished'));
  });
});

const quotes = {
  maker: quoteOf({ height: 20, paymentFee: '0.1' as never }),
  taker: quoteOf({ height: 10, spendFee: '0.3' as never, spendFeeFrom: 'wallet' }),
};
const starts = (request: object = {}) =>
  eventsAt('starting', initialMakerSwapContext(), inputsOf('maker', request)).started(quotes, NOW);
const started = NOW / 1000;

describe('the start of a maker', () => {
  it('says what was asked for, its lock, its secret and its expected cost', () => {
    const request = {
      maker_payment_confirmations: 6,
      taker_payment_confirmations: 7,
      taker_payment_requires_nota: true,
      counterparty: 'ef'.repeat(32),
    };
    expect(starts(request)).toStrictEqual(
      event('Started', {
        taker_coin: 'MARTY',
        maker_coin: 'DOC',
        taker: 'ef'.repeat(32),
        secret: SECRET,
        secret_hash: HASH_20,
        my_persistent_pub: inputsOf('maker').request?.my_persistent_pub,
        lock_duration: 7800,
        maker_amount: '1.5',
        taker_amount: '3',
        maker_payment_confirmations: 6,
        maker_payment_requires_nota: false,
        taker_payment_confirmations: 7,
        taker_payment_requires_nota: true,
        maker_payment_lock: started + 15_600,
        uuid: UUID,
        started_at: started,
        maker_coin_start_block: 20,
        taker_coin_start_block: 10,
        maker_payment_trade_fee: { coin: 'DOC', amount: '0.1', paid_from_trading_vol: false },
        taker_payment_spend_trade_fee: { coin: 'MARTY', amount: '0.3', paid_from_trading_vol: false },
        maker_coin_htlc_pubkey: KEYS.maker,
        taker_coin_htlc_pubkey: KEYS.taker,
        p2p_privkey: null,
      }),
    );
  });

  it('locks for less than twice as long against Lightning', () => {
    expect(starts({ taker_coin: 'tBTC-lightning' })).toMatchObject({ data: { maker_payment_lock: started + 11_700 } });
  });

  it('needs a request with a secret', () => {
    expect(() => starts({ secret: null })).toThrow('a maker cannot start without a secret');
    const foreign = eventsAt('starting', initialMakerSwapContext(), inputsOf('maker', null));
    expect(() => foreign.started(quotes, NOW)).toThrow('a maker cannot start without a secret');
  });

  it('hashes its secret as the chains can read it', () => {
    expect(secretHashOf(SECRET, TRAITS)).toBe(HASH_20);
    expect(secretHashOf(SECRET, longOn('maker'))).toBe(HASH_32);
    expect(secretHashOf(SECRET, longOn('taker'))).toBe(HASH_32);
  });
});

const none = { kind: 'none', feeSat: 0n, burnSat: 0n };

describe('what a maker offers and asks for', () => {
  it('is its start, with the contracts of its coins', () => {
    const offer = (secretHash: string, contracts: { makerCoin: string | null; takerCoin: string | null }) =>
      negotiationMessage({
        startedAt: 1_700_000_000 as never,
        paymentLock: 1_700_015_600 as never,
        secretHash,
        keys: { persistent: keyFrom('10'), makerCoin: KEYS.maker, takerCoin: KEYS.taker },
        contracts,
      });
    expect(eventsAt('any').negotiationOffer()).toStrictEqual(
      offer('cc'.repeat(20), { makerCoin: null, takerCoin: null }),
    );
    expect(eventsAt('any', initialMakerSwapContext()).negotiationOffer()).toBeNull();
    const contracts: Traits = {
      maker: { ...TRAITS.maker, contract: '0a' },
      taker: { ...TRAITS.taker, contract: '0b' },
    };
    const old = makerSide({ started: makerStarted({ secret_hash: null }) });
    expect(eventsAt('any', old, { ...inputsOf('maker'), traits: contracts }).negotiationOffer()).toStrictEqual(
      offer(HASH_20, { makerCoin: '0a', takerCoin: '0b' }),
    );
  });

  it('is the fee of the taker, which may be zero', () => {
    const fee = { kind: 'standard', feeSat: 386_100n, burnSat: 0n };
    const check = {
      tx: 'fe',
      hash: 'fe'.repeat(32),
      payer: keyFrom('22'),
      feeSat: 386_100n,
      burnSat: 0n,
      minHeight: 1000,
    };
    expect(eventsAt('any').fee()).toStrictEqual(fee);
    expect(eventsAt('any').feeCheck(txOf('fe'))).toStrictEqual(check);
    const unknown = makerStarted({ taker_coin_start_block: null });
    expect(eventsAt('any', makerSide({ started: unknown })).feeCheck(txOf('fe'))).toStrictEqual({
      ...check,
      minHeight: 0,
    });
    const exempt = makerSide({ negotiated: makerNegotiated({ taker_coin_htlc_pubkey: BURN_KEY }) });
    expect(eventsAt('any', exempt).fee()).toStrictEqual(none);
    expect(eventsAt('any', initialMakerSwapContext()).fee()).toStrictEqual(none);
    expect(eventsAt('any', initialMakerSwapContext()).feeCheck(txOf('fe'))).toMatchObject({ payer: '', minHeight: 0 });
    expect(eventsAt('any').feeBefore()).toStrictEqual(none);
  });
});

describe('what a maker says', () => {
  it('is what it began with', () => {
    const said = eventsAt('any');
    const early = eventsAt('any', initialMakerSwapContext());
    expect(early.negotiationTerms()).toBeNull();
    expect(said.negotiationTerms()).toMatchObject({ startedAt: 1_700_000_000, lockDuration: 7800, takerCoin: 'MARTY' });
  });

  it('is not what only a taker does', () => {
    const said = eventsAt('any');
    expect([said.feeMessage(), said.watch()]).toEqual([null, null]);
    expect(() => said.negotiationReply({} as never)).toThrow('a maker replies to no offer');
  });
});
