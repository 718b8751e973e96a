import type { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../primitives/json.ts';
import { memberProblem, readAs, struct, text, u8, u64, variantProblem } from './serde.ts';

/** Names of the protocols that the real node knows, in its own order. */
export const PROTOCOLS = [
  'UTXO',
  'QTUM',
  'QRC20',
  'ETH',
  'ERC20',
  'TRX',
  'SLPTOKEN',
  'BCH',
  'TENDERMINT',
  'TENDERMINTTOKEN',
  'LIGHTNING',
  'ZHTLC',
  'NFT',
] as const;

export type ProtocolName = (typeof PROTOCOLS)[number];

/** A protocol of the coins file: what it is, and its data as they stand there. */
export type CoinProtocol = { readonly type: ProtocolName; readonly data: JsonObject };

const contractOf = { platform: text, contract_address: text };

/** What the data of a protocol must hold; nothing for those without any. Other members are ignored. */
const DATA: Readonly<Partial<Record<ProtocolName, z.ZodType>>> = {
  QRC20: struct('CoinProtocol', contractOf),
  ETH: struct('CoinProtocol', { chain_id: u64 }),
  ERC20: struct('CoinProtocol', contractOf),
  TRX: struct('CoinProtocol', { network: text }),
  SLPTOKEN: struct('CoinProtocol', { platform: text, token_id: text, decimals: u8 }),
  BCH: struct('CoinProtocol', { slp_prefix: text }),
  TENDERMINT: struct('TendermintProtocolInfo', { decimals: u8, denom: text, account_prefix: text, chain_id: text }),
  TENDERMINTTOKEN: struct('TendermintTokenProtocolInfo', { platform: text, decimals: u8, denom: text }),
  NFT: struct('CoinProtocol', { platform: text }),
};

/** Protocols of which the data may be absent. */
const WITHOUT_DATA: ReadonlySet<ProtocolName> = new Set(['UTXO', 'QTUM']);

/** A protocol, or what serde would say of it. */
export type ReadProtocol =
  | { readonly ok: true; readonly value: CoinProtocol }
  | { readonly ok: false; readonly problem: string };

/** Reads the `protocol` of a coins-file entry; problems have the texts of the real node. */
export function readProtocol(value: JsonValue | undefined): ReadProtocol {
  if (!isJsonObject(value)) return problem(memberProblem(value ?? null, 'adjacently tagged enum CoinProtocol'));
  const { type } = value;
  if (type === undefined) return problem('missing field `type`');
  const name = PROTOCOLS.find((each) => each === type);
  if (name === undefined) return problem(variantProblem(type, PROTOCOLS));
  const data = value['protocol_data'] ?? null;
  if (WITHOUT_DATA.has(name)) return { ok: true, value: { type: name, data: {} } };
  if (data === null) return problem('missing field `protocol_data`');
  const schema = DATA[name];
  const read = schema === undefined ? null : readAs(schema, data);
  if (read !== null && !read.ok) return problem(read.problem);
  return { ok: true, value: { type: name, data: isJsonObject(data) ? data : {} } };
}

function problem(text: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem: text };
}
