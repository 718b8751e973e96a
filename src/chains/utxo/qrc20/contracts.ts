import type { ContractLog } from '../../../htlc/contract-events.ts';
import type { Tip } from '../reader.ts';

/** What became of one call of a transaction that a block holds. */
export type Qrc20Receipt = {
  readonly block: number;
  /** Place of the output that calls. */
  readonly vout: number;
  /** The account that called, 40 hex digits. */
  readonly from: string;
  /** Why it had no effect, in the node's word; null where it had. */
  readonly excepted: string | null;
  readonly logs: readonly ContractLog[];
};

/** Where contracts told of something. */
export type Place = { readonly txid: string; readonly height: number };

/** A call that is tried and changes nothing. */
export type Trial = {
  /** The account that would call, 40 hex digits as all of them; also a contract. */
  readonly from: string;
  readonly to: string;
  readonly data: string;
};

/** What a call would do. */
export type Tried = {
  /** Hex; null where it would have no effect. */
  readonly output: string | null;
  /** What contracts would tell; null where nobody says. */
  readonly logs: readonly ContractLog[] | null;
};

export type TransferQuery = {
  /** Who sent or got tokens, 40 hex digits. */
  readonly account: string;
  readonly token: string;
  /** It is in no block below. */
  readonly from: number;
};

/** There is no contract at an address, or none that answers like the one that is meant. */
export class ContractAbsent extends Error {}

/** The chain changed while contracts were asked, or whoever is asked does not agree: the whole question is put again. */
export class ContractsUnsteady extends Error {}

/**
 * What contracts say, at one tip of the chain. Nothing of it is proven: as many as it takes must say the same.
 *
 * @throws BackendSilent, ContractsUnsteady
 */
export interface ContractLook {
  /** The answer to a call that changes nothing, in hex; null where the contract refuses it. @throws ContractAbsent */
  call(contract: string, data: string): Promise<string | null>;
  /** The same of a call by somebody, with what it would tell; null where nobody tries calls for others. @throws ContractAbsent */
  trial(trial: Trial): Promise<Tried | null>;
  /** In the order of the outputs; none while the transaction is in no block. */
  receipts(txid: string): Promise<readonly Qrc20Receipt[]>;
  /** Where a token told that an account sent or got some. */
  transfers(query: TransferQuery): Promise<readonly Place[]>;
  /** Whether anything was asked. */
  readonly asked: () => boolean;
  /** Why too few have said something of it; null where enough have said it all. */
  readonly doubt: () => string | null;
}

export interface ContractReader {
  look(tip: Tip): ContractLook;
}
