import type { Role } from '../../events/catalog.ts';
import { standardLists } from '../../events/event-lists.ts';
import { kdfFlags, myInfo } from '../../events/kdf-flags.ts';
import { sameDecimal } from '../../primitives/decimal.ts';
import { remembering } from '../../primitives/remember.ts';
import type { SwapRule } from './rule.ts';
import { decimalField, fieldsOf, textField, wholeField } from './stored-fields.ts';

const NOT_PRINTED = 'the file does not say it beside the events';

/** The id of the swap beside the events against that in Started. */
export const headUuidRule: SwapRule = {
  check: 'head-uuid',
  describes: "The file names the swap that Started names; a taker's order has the same id.",
  source: 'KDF stored swaps: the saved swap object',
  run: (swap, findings) => {
    const own = textField(swap.started, 'uuid');
    if (own === undefined) return;
    const { uuid, my_order_uuid: order } = swap.log.head;
    if (uuid === own) findings.verified(null, uuid);
    else findings.violated(null, { expected: own, found: uuid });
    if (swap.role !== 'taker' || order === null) return;
    if (order === own) findings.verified(null, `order ${order}`);
    else findings.violated(null, { expected: own, found: order, reason: "a taker's order has the id of the swap" });
  },
};

const HEAD_TERMS = ['maker_coin', 'taker_coin', 'maker_amount', 'taker_amount'];

/** Coins and amounts beside the events against those in Started. */
export const headTermsRule: SwapRule = {
  check: 'head-terms',
  describes: 'The coins and amounts that the file names beside the events are those of Started.',
  source: 'KDF stored swaps: the saved swap object',
  run: (swap, findings) => {
    if (swap.startedSeq === undefined) return;
    const head = fieldsOf(swap.log.head);
    if (HEAD_TERMS.every((name) => textField(head, name) === undefined)) {
      findings.notCheckable(null, 'the file names no coins and amounts beside the events');
      return;
    }
    for (const name of ['maker_coin', 'taker_coin']) {
      const found = textField(head, name);
      const expected = textField(swap.started, name);
      if (found === undefined || expected === undefined) findings.notCheckable(null, NOT_PRINTED);
      else if (found === expected) findings.verified(null, found);
      else findings.violated(null, { expected, found, reason: name });
    }
    for (const name of ['maker_amount', 'taker_amount']) {
      const found = decimalField(head, name);
      const expected = decimalField(swap.started, name);
      if (found === undefined || expected === undefined) findings.notCheckable(null, NOT_PRINTED);
      else if (sameDecimal(found, expected)) findings.verified(null, found);
      else findings.violated(null, { expected, found, reason: name });
    }
  },
};

/** `my_info` of an RPC answer. */
export const myInfoRule: SwapRule = {
  check: 'my-info',
  describes: 'The summary `my_info` of an RPC answer repeats the coins, amounts and start of Started.',
  source: 'KDF stored swaps: derived flags',
  run: (swap, findings) => {
    const printed = fieldsOf(fieldsOf(swap.log.head)['my_info']);
    const expected = swap.startedSeq === undefined ? null : myInfo(swap.role, swap.log.events);
    if (expected === null || Object.keys(printed).length === 0) return;
    for (const [name, value] of Object.entries(expected)) {
      const found = printedText(printed, name);
      const amount = decimalField(printed, name);
      const same = name.endsWith('_amount') ? amount !== undefined && sameText(amount, value) : found === String(value);
      if (found === undefined) findings.notCheckable(null, NOT_PRINTED);
      else if (same) findings.verified(null, found);
      else findings.violated(null, { expected: String(value), found, reason: name });
    }
  },
};

function printedText(fields: Parameters<typeof textField>[0], name: string): string | undefined {
  return textField(fields, name) ?? wholeField(fields, name)?.toString() ?? decimalField(fields, name);
}

function sameText(left: NonNullable<ReturnType<typeof decimalField>>, value: unknown): boolean {
  const right = decimalField({ value }, 'value');
  return right !== undefined && sameDecimal(left, right);
}

/** The last change of the rule, which looks for events that came in October 2024. */
const RECOVERABLE_RULE_SINCE = 1_727_740_800;

const MEMBERS = { is_finished: 'finished', is_success: 'success', recoverable: 'recoverable' } as const;

/** The flags of an RPC answer. */
export const flagsRule: SwapRule = {
  check: 'printed-flags',
  describes:
    'The flags `is_finished`, `is_success` and `recoverable` of an RPC answer follow from the events; releases before October 2024 printed `recoverable` by other rules.',
  source: 'KDF stored swaps: derived flags',
  run: (swap, findings) => {
    const head = fieldsOf(swap.log.head);
    const types = swap.log.events.map(({ type }) => type);
    const flags = kdfFlags(swap.role, types);
    for (const [member, flag] of Object.entries(MEMBERS)) {
      const found = Object.hasOwn(head, member) ? head[member] : undefined;
      if (typeof found !== 'boolean') continue;
      const expected = flags[flag];
      const text = `${member} ${found}`;
      if (found === expected) findings.verified(null, text);
      else if (flag === 'recoverable' && (swap.startedAt ?? 0) < RECOVERABLE_RULE_SINCE) {
        findings.notCheckable(null, `${text}, perhaps by the rule of an older release`);
      } else findings.violated(null, { expected: `${member} ${expected}`, found: text });
    }
  },
};

/** The prices that KDF looks up when a swap succeeds. */
export const pricesRule: SwapRule = {
  check: 'usd-prices',
  describes:
    'Prices in US dollars stand in the file of a finished and successful swap alone, because KDF looks them up at that moment.',
  source: 'KDF stored swaps: the saved swap object',
  run: (swap, findings) => {
    const { maker_coin_usd_price: maker, taker_coin_usd_price: taker } = swap.log.head;
    if (maker === null && taker === null) return;
    const { success } = kdfFlags(
      swap.role,
      swap.log.events.map(({ type }) => type),
    );
    if (success === true) findings.verified(null, 'finished and successful');
    else {
      const found = success === null ? 'a log that is not finished' : 'a log with an error event';
      findings.notCheckable(null, `prices stand in ${found}, perhaps one that was cut or made out of another`);
    }
  },
};

/** Names that each list gained, in the order in which it did; the last are the newest. */
const GAINED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'taker success': [['TakerPaymentInstructionsReceived'], ['MakerPaymentSpendConfirmed']],
  'taker watcher success': [
    ['TakerPaymentInstructionsReceived'],
    ['MakerPaymentSpentByWatcher'],
    ['MakerPaymentSpendConfirmed'],
  ],
  'taker error': [
    ['MakerPaymentWaitConfirmFailed'],
    ['TakerPaymentWaitConfirmFailed'],
    ['TakerPaymentWaitRefundStarted'],
    ['TakerPaymentRefundStarted', 'TakerPaymentRefundFinished'],
    ['TakerPaymentRefundedByWatcher'],
    ['MakerPaymentSpendConfirmFailed'],
  ],
  'maker success': [
    ['TakerPaymentSpendConfirmStarted', 'TakerPaymentSpendConfirmed'],
    ['MakerPaymentInstructionsReceived'],
  ],
  'maker error': [
    ['TakerPaymentWaitConfirmFailed'],
    ['MakerPaymentWaitConfirmFailed'],
    ['MakerPaymentWaitRefundStarted'],
    ['TakerPaymentSpendConfirmFailed'],
    ['MakerPaymentRefundStarted', 'MakerPaymentRefundFinished'],
  ],
};

/** The list as it was at each of its steps, as texts to compare with. */
function historicalLists(current: readonly string[], key: string): readonly string[] {
  const steps = GAINED[key] ?? [];
  const lists = [current];
  for (let left = steps.length - 1; left >= 0; left--) {
    const later = new Set(steps.slice(left).flat());
    lists.push(current.filter((name) => !later.has(name)));
  }
  return lists.map((list) => list.join());
}

type KnownLists = Readonly<Record<'success_events' | 'error_events', ReadonlySet<string>>>;

/** The lists of all releases, which follow from the role alone. */
const knownLists = remembering((role: Role): KnownLists => {
  const { success, error } = standardLists(role);
  const watched = standardLists(role, { watchers: true }).success;
  return {
    success_events: new Set([
      ...historicalLists(success, `${role} success`),
      ...historicalLists(watched, `${role} watcher success`),
    ]),
    error_events: new Set(historicalLists(error, `${role} error`)),
  };
});

/** The name lists that KDF copies into every file. */
export const eventNamesRule: SwapRule = {
  check: 'event-names',
  describes:
    'The lists of success and error names are those of a known release. They are only for display, so other lists prove nothing.',
  source: 'KDF stored swaps: success_events and error_events',
  run: ({ role, log }, findings) => {
    const known = knownLists(role);
    for (const member of ['success_events', 'error_events'] as const) {
      const found = log.head[member];
      if (known[member].has(found.join())) findings.verified(null, `${member} of ${found.length} names`);
      else findings.notCheckable(null, `${member} is not the list of any known release; it is only for display`);
    }
  },
};
