import { initialMakerSwapContext, type MakerSwapContext } from '../../machines/maker-swap/context.ts';
import { initialTakerSwapContext, type TakerSwapContext } from '../../machines/taker-swap/context.ts';
import type { SwapRequest } from '../../src/events/journal.ts';
import type { MakerNegotiated, MakerStarted, TakerNegotiated, TakerStarted } from '../../src/events/payloads.ts';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import type { SideInputs, Traits } from '../../src/runtime/swap/side-inputs.ts';
import { requestOf } from './swap-pair.ts';

const dec = (text: string) => text as DecimalText;

/** A public key of 33 bytes that begins with these two digits. */
export const keyFrom = (digits: string): string => `02${digits.repeat(32)}`;

const both = { refund: 'transaction', watchers: false, contract: null, secretHashBytes: 20 } as const;

export const TRAITS: Traits = {
  maker: { ...both, coin: 'DOC', decimals: 10, minTxAmount: 900n, finality: 2 },
  taker: { ...both, coin: 'MARTY', decimals: 8, minTxAmount: 1000n, finality: 3 },
};

/** The own keys of a side: another one for each coin. */
export const KEYS = { maker: keyFrom('11'), taker: keyFrom('12') };

export const SECRET = '5e'.repeat(32);

/** A transaction whose bytes and id tell it from others, with a member that no event holds. */
export const txOf = (name: string) => ({ tx_hex: name, tx_hash: name.repeat(32), note: 'odd' });

export const inputsOf = (role: 'maker' | 'taker', request: Partial<SwapRequest> | null = {}): SideInputs => ({
  request: request === null ? null : requestOf(role, { secret: role === 'maker' ? SECRET : null, ...request }),
  keys: KEYS,
  traits: TRAITS,
});

const fee = (coin: string, amount: string) => ({ coin, amount: dec(amount), paid_from_trading_vol: false });

const BOTH = {
  taker_coin: 'MARTY',
  maker_coin: 'DOC',
  lock_duration: 7800,
  maker_amount: dec('1.5'),
  taker_amount: dec('3'),
  maker_payment_confirmations: 4,
  taker_payment_confirmations: 5,
  uuid: 'started',
  started_at: 1_700_000_000,
  maker_coin_start_block: 2000,
  taker_coin_start_block: 1000,
  my_persistent_pub: keyFrom('10'),
  maker_coin_htlc_pubkey: KEYS.maker,
  taker_coin_htlc_pubkey: KEYS.taker,
};

export const takerStarted = (changes: Partial<TakerStarted> = {}): TakerStarted =>
  ({
    ...BOTH,
    maker_payment_requires_nota: true,
    taker_payment_requires_nota: false,
    taker_payment_lock: 1_700_007_800,
    fee_to_send_taker_fee: fee('MARTY', '0.01'),
    taker_payment_trade_fee: fee('MARTY', '0.002'),
    maker_payment_spend_trade_fee: fee('DOC', '0.0003'),
    ...changes,
  }) as TakerStarted;

export const makerStarted = (changes: Partial<MakerStarted> = {}): MakerStarted =>
  ({
    ...BOTH,
    maker_payment_requires_nota: false,
    taker_payment_requires_nota: true,
    secret: SECRET,
    secret_hash: 'cc'.repeat(20),
    maker_payment_lock: 1_700_015_600,
    maker_payment_trade_fee: fee('DOC', '0.01'),
    taker_payment_spend_trade_fee: fee('MARTY', '0.0003'),
    ...changes,
  }) as MakerStarted;

const THEIRS = {
  maker_coin_htlc_pubkey: keyFrom('21'),
  taker_coin_htlc_pubkey: keyFrom('22'),
  maker_coin_swap_contract_addr: null,
  taker_coin_swap_contract_addr: null,
};

export const takerNegotiated = (changes: Partial<TakerNegotiated> = {}): TakerNegotiated =>
  ({
    ...THEIRS,
    maker_payment_locktime: 1_700_015_601,
    maker_pubkey: keyFrom('20'),
    secret_hash: 'cc'.repeat(20),
    ...changes,
  }) as TakerNegotiated;

export const makerNegotiated = (changes: Partial<MakerNegotiated> = {}): MakerNegotiated =>
  ({
    ...THEIRS,
    taker_payment_locktime: 1_700_007_801,
    taker_pubkey: keyFrom('20'),
    ...changes,
  }) as MakerNegotiated;

export const takerSide = (changes: Partial<TakerSwapContext> = {}): TakerSwapContext => ({
  ...initialTakerSwapContext(),
  started: takerStarted(),
  negotiated: takerNegotiated(),
  ...changes,
});

export const makerSide = (changes: Partial<MakerSwapContext> = {}): MakerSwapContext => ({
  ...initialMakerSwapContext(),
  started: makerStarted(),
  negotiated: makerNegotiated(),
  ...changes,
});
