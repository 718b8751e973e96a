import type { OrderMessage } from '../../src/ports/orders.ts';

/** A request and an answer in which no two members are alike. */
export const REQUEST = {
  kind: 'takerRequest',
  uuid: '41383f43-46a5-478c-9386-3b2cce0aca20',
  base: 'MARTY',
  rel: 'DOC',
  base_amount: { numer: 7n, denom: 3n },
  rel_amount: { numer: 340_282_366_920_938_463_463_374_607_431_768_211_457n, denom: 1_000_000_007n },
  action: 'Sell',
  match_by: { type: 'Pubkeys', data: ['07'.repeat(32), 'fe'.repeat(32)] },
  conf_settings: { base_confs: 1, base_nota: false, rel_confs: 70_000, rel_nota: true },
  base_protocol_info: '91a87374616e64617264',
  rel_protocol_info: '',
} as const satisfies OrderMessage;

export const RESERVED = {
  kind: 'makerReserved',
  taker_order_uuid: REQUEST.uuid,
  maker_order_uuid: '0b1d2e3f-5a6b-4c7d-8e9f-a0b1c2d3e4f5',
  base: 'DOC',
  rel: 'MARTY',
  base_amount: { numer: 10n, denom: 1n },
  rel_amount: { numer: 1n, denom: 2n },
  conf_settings: { base_confs: 3, base_nota: true, rel_confs: 0, rel_nota: false },
  base_protocol_info: null,
  rel_protocol_info: '91a6736567776974',
} as const satisfies OrderMessage;

const ids = { taker_order_uuid: RESERVED.taker_order_uuid, maker_order_uuid: RESERVED.maker_order_uuid };
export const CONNECT = { kind: 'takerConnect', ...ids } as const satisfies OrderMessage;
export const CONNECTED = { kind: 'makerConnected', ...ids } as const satisfies OrderMessage;
