import type { Role } from '../../events/catalog.ts';
import { standardLists } from '../../events/event-lists.ts';
import { kdfFlags } from '../../events/kdf-flags.ts';
import type { JsonObject } from '../../primitives/json.ts';
import type { SwapEra, SwapTerms } from './swap-terms.ts';

// Names that joined the lists later than the era's nodes. Every earlier list is the current one without them.

const SINCE_2020: Readonly<Record<Role, readonly string[]>> = {
  taker: ['MakerPaymentWaitConfirmFailed', 'TakerPaymentWaitConfirmFailed', 'TakerPaymentWaitRefundStarted'],
  maker: [
    'TakerPaymentSpendConfirmStarted',
    'TakerPaymentSpendConfirmed',
    'TakerPaymentWaitConfirmFailed',
    'MakerPaymentWaitConfirmFailed',
    'MakerPaymentWaitRefundStarted',
    'TakerPaymentSpendConfirmFailed',
  ],
};

const SINCE_2022: Readonly<Record<Role, readonly string[]>> = {
  taker: [
    'TakerPaymentInstructionsReceived',
    'MakerPaymentSpendConfirmed',
    'TakerPaymentRefundStarted',
    'TakerPaymentRefundFinished',
    'TakerPaymentRefundedByWatcher',
    'MakerPaymentSpendConfirmFailed',
  ],
  maker: ['MakerPaymentInstructionsReceived', 'MakerPaymentRefundStarted', 'MakerPaymentRefundFinished'],
};

const VERSION: Readonly<Record<SwapEra, string>> = {
  current: '2.4.0-beta_0000000',
  '2021': '2.1.4600_mm2.1_000000000_Linux_Release',
  '2019': '2.0.1000_mm2_000000000_Linux_Release',
};

function nameLists(role: Role, { era, watchers }: { readonly era: SwapEra; readonly watchers: boolean }) {
  const { success, error } = standardLists(role, { watchers: watchers && era === 'current' });
  const later = new Set(
    { current: [], '2021': SINCE_2022[role], '2019': [...SINCE_2022[role], ...SINCE_2020[role]] }[era],
  );
  const known = (names: readonly string[]) => names.filter((name) => !later.has(name));
  return { success_events: known(success), error_events: known(error) };
}

type HeadOptions = { readonly path: readonly string[]; readonly watchers: boolean };

/** The members of a saved swap beside its events, as a node of the terms' era writes them. */
export function savedSwapHeadOf(role: Role, terms: SwapTerms, { path, watchers }: HeadOptions): JsonObject {
  const { era } = terms;
  const lists = nameLists(role, { era, watchers });
  const identity = { type: role === 'taker' ? 'Taker' : 'Maker', uuid: terms.uuid };
  if (era === '2019') return { ...identity, ...lists };
  const price = era === 'current' && kdfFlags(role, path).success === true ? '0.125' : null;
  return {
    ...identity,
    my_order_uuid: role === 'taker' ? terms.uuid : terms.makerOrderUuid,
    maker_amount: terms.makerAmount,
    maker_coin: terms.makerCoin,
    ...(era === 'current' ? { maker_coin_usd_price: price } : {}),
    taker_amount: terms.takerAmount,
    taker_coin: terms.takerCoin,
    ...(era === 'current' ? { taker_coin_usd_price: price } : {}),
    gui: 'swapfold-testing',
    mm_version: VERSION[era],
    ...lists,
  };
}
