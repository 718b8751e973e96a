import { concatBytes } from '../../htlc/byte-writer.ts';
import { bytesField, messageField, numberField, protoReader, readingProto, textField } from '../../htlc/protobuf.ts';
import { encodeCoin } from '../../htlc/tendermint-messages.ts';
import { encodeStoredHtlc, htlcQueryPath } from '../../htlc/tendermint-stored.ts';
import { type Refused, refusedBySdk, SDK_CODE, type TxResult } from './result.ts';
import { type Account, type AppState, balanceOf } from './state.ts';
import type { AppRules } from './transactions.ts';

export type Query = {
  readonly path: string;
  readonly data: Uint8Array;
  readonly state: AppState;
  readonly rules: AppRules;
  readonly simulate: (bytes: Uint8Array) => TxResult;
};

export type QueryAnswer = { readonly value: Uint8Array } | { readonly refused: Refused };

const SIMULATE = '/cosmos.tx.v1beta1.Service/Simulate';
const ACCOUNT = '/cosmos.auth.v1beta1.Query/Account';
const BALANCE = '/cosmos.bank.v1beta1.Query/Balance';
const ALL_BALANCES = '/cosmos.bank.v1beta1.Query/AllBalances';

function refuse(code: number, log: string): QueryAnswer {
  return { refused: refusedBySdk(code, log) };
}

/** What the application answers to a query by its path, in protobuf. */
export function answerQuery(query: Query): QueryAnswer {
  return readingProto(() => answer(query)) ?? refuse(SDK_CODE.decode, 'error unmarshalling');
}

function answer({ path, data, state, rules, simulate }: Query): QueryAnswer {
  const asked = protoReader(data);
  if (path === BALANCE) {
    const [address, denom] = [asked.text(1), asked.text(2)];
    return { value: messageField(1, encodeCoin({ denom, amount: balanceOf(state, address, denom) })) };
  }
  if (path === ALL_BALANCES) {
    const own = [...(state.balances.get(asked.text(1)) ?? [])].filter(([, amount]) => amount > 0n);
    return { value: concatBytes(own.map(([denom, amount]) => messageField(1, encodeCoin({ denom, amount })))) };
  }
  if (path === ACCOUNT) {
    const address = asked.text(1);
    const account = state.accounts.get(address);
    if (account === undefined)
      return refuse(
        SDK_CODE.keyNotFound,
        `rpc error: code = NotFound desc = account ${address} not found: key not found`,
      );
    return { value: messageField(1, baseAccount(address, account)) };
  }
  if (path === SIMULATE) return simulated(simulate(asked.bytes(2)));
  if (rules.module !== null && path === htlcQueryPath(rules.module)) {
    const kept = state.payments.get(asked.text(1));
    if (kept === undefined)
      return refuse(
        SDK_CODE.keyNotFound,
        `rpc error: code = NotFound desc = HTLC ${asked.text(1)} not found: key not found`,
      );
    return { value: encodeStoredHtlc(rules.module, kept) };
  }
  return refuse(SDK_CODE.unknownRequest, `unknown query path: unknown request`);
}

function baseAccount(address: string, { number, sequence, key }: Account): Uint8Array {
  const url = '/cosmos.crypto.secp256k1.PubKey';
  const own =
    key === null ? [] : [messageField(2, concatBytes([textField(1, url), messageField(2, bytesField(1, key))]))];
  const value = concatBytes([textField(1, address), ...own, numberField(3, number), numberField(4, sequence)]);
  return concatBytes([textField(1, '/cosmos.auth.v1beta1.BaseAccount'), bytesField(2, value)]);
}

function simulated({ code, log, gasUsed, gasWanted }: TxResult): QueryAnswer {
  if (code !== 0) return refuse(SDK_CODE.unknownRequest, `${log}: unknown request`);
  const info = concatBytes([numberField(1, gasWanted), numberField(2, gasUsed)]);
  return { value: concatBytes([messageField(1, info), messageField(2, new Uint8Array(0))]) };
}
