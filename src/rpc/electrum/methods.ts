import type { ElectrumMethod } from './method.ts';
import { CONTRACT_METHODS } from './methods/contract.ts';
import { FEE_METHODS } from './methods/fees.ts';
import { HEADER_METHODS } from './methods/headers.ts';
import { SCRIPTHASH_METHODS } from './methods/scripthash.ts';
import { SERVER_METHODS } from './methods/server.ts';
import { TRANSACTION_METHODS } from './methods/transaction.ts';

/** Every call of the protocol that is answered, by its name. */
export const ELECTRUM_METHODS: ReadonlyMap<string, ElectrumMethod> = new Map(
  [
    ...SERVER_METHODS,
    ...HEADER_METHODS,
    ...SCRIPTHASH_METHODS,
    ...TRANSACTION_METHODS,
    ...FEE_METHODS,
    ...CONTRACT_METHODS,
  ].map((method) => [method.name, method]),
);
