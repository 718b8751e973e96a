import { describe, expect, it } from 'vitest';
import { initialTakerSwapContext, type TakerSwapContext } from '../../../../../machines/taker-swap/context.ts';
import { BURN_KEY } from '../../../../../src/htlc/dex-fee.ts';
import { negotiationMessage } from '../../../../../src/htlc/negotiation.ts';
import type { SideInputs } from '../../../../../src/runtime/swap/side-inputs.ts';
import { takerEvents, takerFacts } from '../../../../../src/runtime/swap/sides/taker.ts';
import { event } from '../../../../support/effect-turns.ts';
import {
  inputsOf,
  KEYS,
  keyFrom,
  SECRET,
  takerNegotiated,
  takerSide,
  takerStarted,
  txOf,
} from '../../../../support/side-contexts.ts';
import { UUID } from '../../../../support/swap-pair.ts';
import { NOW, quoteOf } from '../../../../support/turns.ts';

const plain = (name: string) => ({ tx_hex: name, tx_hash: name.repeat(32) });
const eventsAt = (state: string, context: TakerSwapContext = takerSide(), inputs: SideInputs = inputsOf('taker')) =>
  takerEvents(() => ({ state, context }), inputs);

describe('what a taker’s swap is to the effects', () => {
  it('is what its log says', () => {
    const context = takerSide({
      takerPayment: txOf('aa'),
      makerPayment: txOf('bb'),
      makerPaymentSpend: txOf('dd'),
      makerPaymentValidated: true,
      takerPaymentRefunded: true,
      watcherPreimages: [[1], [2]] as never,
      secret: SECRET,
      lastEventAt: NOW,
    });
    expect(takerFacts('claiming', context, inputsOf('taker'))).toEqual({
      role: 'taker',
      state: 'claiming',
      uuid: UUID,
      own: 'taker',
      other: 'maker',
      startBlocks: { maker: 2000, taker: 1000 },
      startedAt: 1_700_000_000,
      lockDuration: 7800,
      margin: 1560,
      race: { lock: 1_700_015_601, margin: 1560 },
      ownTerms: {
        lock: 1_700_007_800,
        secretHash: 'cc'.repeat(20),
        sender: KEYS.taker,
        receiver: keyFrom('22'),
        amount: '3',
        contract: null,
      },
      otherTerms: {
        lock: 1_700_015_601,
        secretHash: 'cc'.repeat(20),
        sender: keyFrom('21'),
        receiver: KEYS.maker,
        amount: '1.5',
        contract: null,
      },
      ownPayment: txOf('aa'),
      otherPayment: txOf('bb'),
      otherConfirmations: 4,
      otherValidated: true,
      watched: true,
      otherRequiresNota: true,
      claimFee: { coin: 'DOC', amount: '0.0003', paid_from_trading_vol: false },
      ownConfirmations: 5,
      secret: SECRET,
      secretIsPublic: true,
      claim: txOf('dd'),
      refunded: true,
      rewardAsked: null,
      lastEventAt: NOW,
    });
  });
});

describe('what a taker’s swap is where its log says less', () => {
  it('is little before the start', () => {
    const empty = takerFacts('starting', initialTakerSwapContext(), inputsOf('taker', { lock_duration: 99 }));
    expect(empty).toMatchObject({
      uuid: UUID,
      startedAt: null,
      lockDuration: 99,
      ownTerms: null,
      otherTerms: null,
      otherConfirmations: 1,
      ownConfirmations: 1,
      otherRequiresNota: false,
      claimFee: null,
      watched: false,
      secretIsPublic: false,
      lastEventAt: 0,
    });
    const foreign = takerFacts('starting', initialTakerSwapContext(), inputsOf('taker', null));
    expect(foreign).toMatchObject({ uuid: '', lockDuration: 0 });
    expect(takerFacts('started', takerSide(), inputsOf('taker', null))).toMatchObject({
      uuid: 'started',
      lockDuration: 7800,
    });
  });

  it('has no terms before the negotiation, nor of a log without the start', () => {
    for (const half of [{ negotiated: null }, { started: null }]) {
      const facts = takerFacts('negotiating', takerSide(half), inputsOf('taker'));
      expect([facts.ownTerms, facts.otherTerms]).toEqual([null, null]);
    }
  });

  it('has the contracts that were agreed on, else those of its start', () => {
    const started = takerStarted({
      maker_coin_swap_contract_address: '0a',
      taker_coin_swap_contract_address: '0b',
    });
    const contracts = (negotiated: object) => {
      const context = takerSide({ started, negotiated: takerNegotiated(negotiated) });
      const { ownTerms, otherTerms } = takerFacts('negotiated', context, inputsOf('taker'));
      return [ownTerms?.contract, otherTerms?.contract];
    };
    expect(contracts({})).toEqual(['0b', '0a']);
    expect(contracts({ maker_coin_swap_contract_addr: '1a', taker_coin_swap_contract_addr: '1b' })).toEqual([
      '1b',
      '1a',
    ]);
  });

  it('has the persistent keys of a log that names no others', () => {
    const none = { maker_coin_htlc_pubkey: null, taker_coin_htlc_pubkey: null };
    const context = takerSide({ started: takerStarted(none), negotiated: takerNegotiated(none) });
    const { ownTerms, otherTerms } = takerFacts('negotiated', context, inputsOf('taker'));
    expect([ownTerms?.sender, ownTerms?.receiver]).toEqual([keyFrom('10'), keyFrom('20')]);
    expect([otherTerms?.sender, otherTerms?.receiver]).toEqual([keyFrom('20'), keyFrom('10')]);
  });
});

describe('the events of a taker', () => {
  const said = () => eventsAt('any');

  it('report the payments', () => {
    const tx = txOf('aa');
    expect(said().ownSent(tx)).toStrictEqual(event('TakerPaymentSent', plain('aa')));
    expect(said().ownSendFailed('x')).toStrictEqual(event('TakerPaymentTransactionFailed', { error: 'x' }));
    expect(said().otherReceived(tx)).toStrictEqual([
      event('MakerPaymentReceived', plain('aa')),
      event('MakerPaymentWaitConfirmStarted'),
    ]);
    expect(said().otherValidated()).toStrictEqual(event('MakerPaymentValidatedAndConfirmed'));
    expect(said().otherInvalid('x')).toStrictEqual([
      event('MakerPaymentValidateFailed', { error: '!validate maker payment: x' }),
    ]);
    expect(said().otherUnconfirmed('x')).toStrictEqual([
      event('MakerPaymentWaitConfirmFailed', { error: '!wait for maker payment confirmations: x' }),
    ]);
  });

  it('report the claim', () => {
    expect(said().claimed(txOf('aa'))).toStrictEqual([event('MakerPaymentSpent', plain('aa'))]);
    expect(said().claimedByOther(txOf('aa'))).toStrictEqual([event('MakerPaymentSpentByWatcher', plain('aa'))]);
    expect(said().claimConfirmed()).toStrictEqual(event('MakerPaymentSpendConfirmed'));
  });

  it('record a lost claim by the state that it was in', () => {
    const unconfirmed = { error: '!wait for maker payment spend confirmations: x' };
    for (const tell of ['claimFailed', 'claimUnconfirmed'] as const) {
      const at = (state: string) => eventsAt(state)[tell]('x');
      for (const state of ['claiming', 'waitingForSpendWatched']) {
        expect(at(state)).toStrictEqual([event('MakerPaymentSpendFailed', { error: 'x' })]);
      }
      for (const state of ['confirmingClaim', 'claimedByWatcher']) {
        expect(at(state)).toStrictEqual([event('MakerPaymentSpendConfirmFailed', unconfirmed)]);
      }
      expect(at('finished')).toEqual([]);
    }
  });

  it('report the refund', () => {
    const waits = (wait_until: number) => event('TakerPaymentWaitRefundStarted', { wait_until });
    expect(said().refundWaitStarted()).toStrictEqual(waits(1_700_011_500));
    expect(eventsAt('any', initialTakerSwapContext()).refundWaitStarted()).toStrictEqual(waits(3700));
    expect(said().refundStarted()).toStrictEqual(event('TakerPaymentRefundStarted'));
    expect(said().refunded(txOf('aa'))).toStrictEqual(event('TakerPaymentRefunded', plain('aa')));
    expect(said().refunded(null)).toStrictEqual(event('TakerPaymentRefunded'));
    expect(said().refundedByOther(txOf('aa'))).toStrictEqual(event('TakerPaymentRefundedByWatcher', plain('aa')));
    expect(said().refundedByOther(null)).toStrictEqual(event('TakerPaymentRefundedByWatcher'));
    expect(said().refundFailed('x')).toStrictEqual(event('TakerPaymentRefundFailed', { error: 'x' }));
    expect(said().refundFinished()).toStrictEqual(event('TakerPaymentRefundFinished'));
  });

  it('close a swap whose coins are lost step by step', () => {
    const closes = (state: string) => eventsAt(state).closeLost('x');
    expect(closes('waitingForRefund')).toStrictEqual(event('TakerPaymentRefundStarted'));
    expect(closes('refunding')).toStrictEqual(event('TakerPaymentRefundFailed', { error: '"x"' }));
    expect(closes('refundFailed')).toStrictEqual(event('Finished'));
  });
});

describe('the start of a taker', () => {
  const quotes = {
    maker: quoteOf({ height: 20, spendFee: '0.3' as never }),
    taker: quoteOf({ height: 10, paymentFee: '0.1' as never, dexFeeFee: '0.2' as never }),
  };

  it('says what was asked for, its locks and its expected cost', () => {
    const request = {
      maker_payment_confirmations: 6,
      taker_payment_confirmations: 7,
      maker_payment_requires_nota: true,
      counterparty: 'ef'.repeat(32),
    };
    const started = NOW / 1000;
    expect(
      eventsAt('starting', initialTakerSwapContext(), inputsOf('taker', request)).started(quotes, NOW),
    ).toStrictEqual(
      event('Started', {
        taker_coin: 'MARTY',
        maker_coin: 'DOC',
        maker: 'ef'.repeat(32),
        my_persistent_pub: inputsOf('taker').request?.my_persistent_pub,
        lock_duration: 7800,
        maker_amount: '1.5',
        taker_amount: '3',
        maker_payment_confirmations: 6,
        maker_payment_requires_nota: true,
        taker_payment_confirmations: 7,
        taker_payment_requires_nota: false,
        taker_payment_lock: started + 7800,
        uuid: UUID,
        started_at: started,
        maker_payment_wait: started + 3120,
        maker_coin_start_block: 20,
        taker_coin_start_block: 10,
        fee_to_send_taker_fee: { coin: 'MARTY', amount: '0.2', paid_from_trading_vol: false },
        taker_payment_trade_fee: { coin: 'MARTY', amount: '0.1', paid_from_trading_vol: false },
        maker_payment_spend_trade_fee: { coin: 'DOC', amount: '0.3', paid_from_trading_vol: true },
        maker_coin_htlc_pubkey: KEYS.maker,
        taker_coin_htlc_pubkey: KEYS.taker,
        p2p_privkey: null,
      }),
    );
  });

  it('needs a request', () => {
    const foreign = eventsAt('starting', initialTakerSwapContext(), inputsOf('taker', null));
    expect(() => foreign.started(quotes, NOW)).toThrow('a swap without a request cannot start');
    expect(foreign.feeBefore()).toStrictEqual({ kind: 'none', feeSat: 0n, burnSat: 0n });
  });
});

const none = { kind: 'none', feeSat: 0n, burnSat: 0n };
const fee = { kind: 'standard', feeSat: 386_100n, burnSat: 0n };

describe('what a taker pays and says', () => {
  it('is the fee for its amount, unless its key on the taker coin pays none', () => {
    expect(eventsAt('any').fee()).toStrictEqual(fee);
    expect(eventsAt('any').feeBefore()).toStrictEqual(fee);
    expect(eventsAt('any', initialTakerSwapContext()).fee()).toStrictEqual(none);
    const exempt = takerStarted({ taker_coin_htlc_pubkey: BURN_KEY });
    expect(eventsAt('any', takerSide({ started: exempt })).fee()).toStrictEqual(none);
    const keys = { ...inputsOf('taker'), keys: { maker: KEYS.maker, taker: BURN_KEY } };
    expect(eventsAt('any', takerSide(), keys).feeBefore()).toStrictEqual(none);
  });

  it('is the message about its fee once that is sent', () => {
    expect(eventsAt('any').feeMessage()).toBeNull();
    const sent = eventsAt('any', takerSide({ takerFee: txOf('fe') }));
    expect(sent.feeMessage()).toStrictEqual({ kind: 'takerFee', tx: plain('fe') });
  });

  it('is the reply to an offer, with the contracts that were agreed on', () => {
    const agreed = {
      maker_payment_locktime: 1 as never,
      maker_pubkey: keyFrom('20'),
      secret_hash: 'ab'.repeat(20),
      maker_coin_swap_contract_addr: '0a',
      taker_coin_swap_contract_addr: '0b',
      maker_coin_htlc_pubkey: keyFrom('21'),
      taker_coin_htlc_pubkey: keyFrom('22'),
    };
    const reply = negotiationMessage({
      startedAt: 1_700_000_000 as never,
      paymentLock: 1_700_007_800 as never,
      secretHash: 'ab'.repeat(20),
      keys: { persistent: keyFrom('10'), makerCoin: KEYS.maker, takerCoin: KEYS.taker },
      contracts: { makerCoin: '0a', takerCoin: '0b' },
    });
    expect(eventsAt('any').negotiationReply(agreed)).toStrictEqual(reply);
    const replies = (changes: object) =>
      eventsAt('any', takerSide({ started: takerStarted(changes) })).negotiationReply(agreed);
    expect(replies({ taker_coin_htlc_pubkey: null })).toStrictEqual({ ...reply, taker_coin_htlc_pub: keyFrom('10') });
    const unnamed = { taker_coin_htlc_pubkey: null, my_persistent_pub: null };
    expect(replies(unnamed)).toStrictEqual({ ...reply, taker_coin_htlc_pub: '' });
    const early = eventsAt('any', initialTakerSwapContext());
    expect(() => early.negotiationReply(agreed)).toThrow('a swap that has not started cannot negotiate');
  });
});

describe('what a taker relies on', () => {
  it('is checked against its own start', () => {
    expect(eventsAt('any', initialTakerSwapContext()).negotiationTerms()).toBeNull();
    expect(eventsAt('any').negotiationTerms()).toMatchObject({
      startedAt: 1_700_000_000,
      lockDuration: 7800,
      takerCoin: 'MARTY',
      contracts: { makerCoin: { kind: 'none' }, takerCoin: { kind: 'none' } },
    });
  });

  it('is not what only a maker does', () => {
    const said = eventsAt('any');
    expect(said.negotiationOffer()).toBeNull();
    expect(() => said.feeCheck(txOf('fe'))).toThrow('a taker checks no fee');
  });
});

describe('what a taker hands to watchers', () => {
  const all: Partial<TakerSwapContext> = {
    takerFee: txOf('fe'),
    takerPayment: txOf('aa'),
    makerPayment: txOf('bb'),
    watcherPreimages: [[10], [11]] as never,
  };
  const watch = (changes: Partial<TakerSwapContext> = {}) => eventsAt('any', takerSide({ ...all, ...changes })).watch();

  it('is the whole of the swap, with both signed spends', () => {
    expect(watch()).toStrictEqual({
      uuid: 'started',
      secret_hash: 'cc'.repeat(20),
      maker_payment_spend_preimage: '0a',
      taker_payment_refund_preimage: '0b',
      swap_started_at: 1_700_000_000,
      lock_duration: 7800,
      taker_coin: 'MARTY',
      taker_amount: '3',
      taker_fee_hash: 'fe'.repeat(32),
      taker_payment_hash: 'aa'.repeat(32),
      taker_coin_start_block: 1000,
      taker_payment_confirmations: 5,
      taker_payment_requires_nota: false,
      maker_coin: 'DOC',
      maker_amount: '1.5',
      maker_pub: keyFrom('22'),
      taker_pub: KEYS.taker,
      maker_payment_hash: 'bb'.repeat(32),
      maker_coin_start_block: 2000,
    });
  });

  it.each<[string, Partial<TakerSwapContext>]>([
    ['the start', { started: null }],
    ['the negotiation', { negotiated: null }],
    ['the fee', { takerFee: null }],
    ['a fee that was paid', { takerFee: { tx_hex: '', tx_hash: '' } }],
    ['its payment', { takerPayment: null }],
    ['the maker payment', { makerPayment: null }],
    ['any signed spend', { watcherPreimages: null }],
    ['the signed claim', { watcherPreimages: [null, [11]] as never }],
    ['the signed refund', { watcherPreimages: [[10], null] as never }],
  ])('is nothing without %s', (_, changes) => {
    expect(watch(changes)).toBeNull();
  });

  it('says zero for a height that the log does not give', () => {
    const started = takerStarted({ maker_coin_start_block: null, taker_coin_start_block: null });
    expect(watch({ started })).toMatchObject({ maker_coin_start_block: 0, taker_coin_start_block: 0 });
    expect(watch({ negotiated: takerNegotiated({ secret_hash: null }) })).toMatchObject({ secret_hash: '' });
  });
});
