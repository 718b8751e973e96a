import { catalog, upcasters } from '../../../dist/src/events/index.js';
import * as payloads from '../../../dist/src/events/payloads.js';
import * as watcher from '../../../dist/src/events/watcher.js';
import { journalTable, requestTable } from './journal-types.mjs';
import { GENERATED, table } from './markdown.mjs';

const NAMED = {
  noData: 'none',
  transaction: 'Transaction',
  failure: 'Failure',
  refundWait: 'RefundWait',
  instructions: 'Instructions or null',
  optionalTransaction: 'Transaction or null',
  transactionOrNoData: 'Transaction or none',
  watcherPreimages: 'WatcherPreimages',
  revealingSpend: 'RevealingSpend',
  takerStarted: 'TakerStarted',
  makerStarted: 'MakerStarted',
  takerNegotiated: 'TakerNegotiated',
  makerNegotiated: 'MakerNegotiated',
};

const RECORDS = [
  'takerStarted',
  'takerNegotiated',
  'makerStarted',
  'makerNegotiated',
  'transaction',
  'revealingSpend',
  'failure',
  'refundWait',
];

export function eventsPage() {
  const nameOf = new Map(Object.entries(NAMED).map(([key, name]) => [payloads[key], name]));
  const roles = ['taker', 'maker'].map((role) => {
    const rows = [...catalog[role].values()].map(({ type, payload, errorClass }) => [
      `\`${type}\``,
      nameOf.get(payload) ?? '?',
      errorClass ? 'yes' : '',
    ]);
    return [`## Events of a ${role}`, '', table(['event', 'data', 'denies success in the real node'], rows), ''];
  });
  const records = RECORDS.map((key) => [
    `### ${NAMED[key]}`,
    '',
    table(['member', 'value'], members(payloads[key])),
    '',
  ]);
  const steps = upcasters.map(({ id, written, summary }) => [`\`${id}\``, written, summary]);
  return [
    '# Events',
    '',
    GENERATED,
    '',
    'A stored event is `{"timestamp": milliseconds, "event": {"type": …, "data": …}}`. Members that this page',
    'does not name pass through unchanged. The reader accepts hex in either case and the writer writes lower',
    'case; decimals keep every digit.',
    '',
    ...roles.flat(),
    '## Data',
    '',
    'Instructions are `{"WatcherReward": decimal}` or `{"Lightning": invoice}`. WatcherPreimages is an array of',
    'two: the signed maker payment spend without the secret, and the signed taker payment refund. Each is null',
    'or an array of byte numbers.',
    '',
    ...records.flat(),
    '## Events of the engine',
    '',
    'A log of this engine holds these events beside those above, in the same stream. They make the engine',
    'crash-safe. The fold of a swap does not see them, and an export in a form of the real node omits them.',
    '',
    journalTable(),
    '',
    '### SwapRequest',
    '',
    requestTable(),
    '',
    '## Events of a watcher',
    '',
    'A watcher has its own stream, `watcher/` and the uuid, with the same numbering and hashes. The real node',
    'keeps no log of its watches.',
    '',
    table(['event', 'data'], watcherRows()),
    '',
    '### Watch',
    '',
    table(['member', 'value'], members(watcher.watch)),
    '',
    '### Timing',
    '',
    table(['member', 'value', 'default'], timingRows()),
    '',
    '## Older shapes',
    '',
    'Only these numbered steps read the shapes below. The reader reports each as an anomaly, because the real',
    'node refuses it.',
    '',
    table(['step', 'written', 'what differs'], steps),
    '',
  ].join('\n');
}

const WATCHER_NAMED = new Map([
  [payloads.noData, 'none'],
  [payloads.transaction, 'Transaction'],
  [payloads.optionalTransaction, 'Transaction or null'],
  [payloads.revealingSpend, 'RevealingSpend'],
]);

function watcherRows() {
  return Object.entries(watcher.watcherPayloads).map(([type, schema]) => {
    const named = WATCHER_NAMED.get(schema);
    if (named !== undefined) return [`\`${type}\``, named];
    if (type === 'WatchRequested') return [`\`${type}\``, '`watch` Watch; `timing` Timing, or absent for the defaults'];
    const inner = Object.entries(schema.shape).map(([name, member]) => `\`${name}\` ${labelOf(member)}`);
    return [`\`${type}\``, inner.join('; ')];
  });
}

function timingRows() {
  const defaults = watcher.defaultWatchTiming;
  const timing = watcher.watcherPayloads.WatchRequested.shape.timing;
  return members(bare(timing)).map(([name, value]) => [name, value, defaults[name.replaceAll('`', '')]]);
}

/** The schema below its defaults. */
function bare(schema) {
  const { innerType } = schema.def;
  return innerType === undefined ? schema : bare(innerType);
}

function members(schema) {
  return Object.entries(schema.shape).map(([name, member]) => [`\`${name}\``, labelOf(member)]);
}

function labelOf(schema) {
  if (schema.description !== undefined) return schema.description;
  const { type, innerType, in: input, element } = schema.def;
  if (type === 'nullable') return `${labelOf(innerType)} or null`;
  if (type === 'optional' && innerType !== undefined) {
    const inner = labelOf(innerType);
    return inner.endsWith('or null') ? inner : `${inner}, or absent`;
  }
  if (type === 'default') return labelOf(innerType);
  if (type === 'pipe') return labelOf(input);
  if (type === 'array') return `array of ${labelOf(element)}`;
  if (type === 'enum') return Object.values(schema.def.entries).join(', ');
  if (type === 'object') return `{${Object.keys(schema.shape).join(', ')}}`;
  return type;
}
