import { catalog, upcasters } from '../../../dist/src/events/index.js';
import * as payloads from '../../../dist/src/events/payloads.js';
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
    'A stored event is `{"timestamp": milliseconds, "event": {"type": …, "data": …}}`. Members that are not named here pass through',
    'unchanged. Hex is read in either case and written in lower case; decimals keep every digit.',
    '',
    ...roles.flat(),
    '## Data',
    '',
    'Instructions are `{"WatcherReward": decimal}` or `{"Lightning": invoice}`. WatcherPreimages is an array of two: the signed maker',
    'payment spend without the secret, and the signed taker payment refund, each null or an array of byte numbers.',
    '',
    ...records.flat(),
    '## Older shapes',
    '',
    'Shapes that only these numbered steps read; each is reported as an anomaly, because the real node refuses it.',
    '',
    table(['step', 'written', 'what differs'], steps),
    '',
  ].join('\n');
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
  if (type === 'object') return `{${Object.keys(schema.shape).join(', ')}}`;
  return type;
}
