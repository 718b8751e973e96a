import type { ContractLog } from '../../../htlc/contract-events.ts';
import type { Tip } from '../reader.ts';

/** The outcome of one call in a confirmed transaction. */
export type Qrc20Receipt = {
  readonly block: number;
  /** Place of the output that calls. */
  readonly vout: number;
  /** The account that called, 40 hex digits. */
  readonly from: string;
  /** Why it had no effect, in the node's words; null if it had one. */
  readonly excepted: string | null;
  readonly logs: readonly ContractLog[];
};

/** An event of a contract. */
export type Place = { readonly txid: string; readonly height: number };

/** A call to simulate. */
export type Trial = {
  /** The account that would call, 40 hex digits; may be a contract. */
  readonly from: string;
  readonly to: string;
  readonly data: string;
};

/** What a call would do. */
export type Tried = {
  /** Hex; null if it would have no effect. */
  readonly output: string | null;
  /** The events that it would emit; null if no server says. */
  readonly logs: readonly ContractLog[] | null;
  /** Gas that it would use; null if no server says. */
  readonly gas: number | null;
};

export type TransferQuery = {
  /** Who sent or got tokens, 40 hex digits. */
  readonly account: string;
  readonly token: string;
  /** The height below which it is in no block. */
  readonly from: number;
};

/** There is no contract at an address, or one that does not answer like the expected one. */
export class ContractAbsent extends Error {}

/** The chain changed while contracts were asked, or servers disagree: the caller repeats the whole question. */
export class ContractsUnsteady extends Error {}

/**
 * What contracts say at one tip of the chain. There are no proofs, so a quorum must agree.
 *
 * @throws BackendSilent, ContractsUnsteady
 */
export interface ContractLook {
  /** The answer to a simulated call, in hex; null if the contract refuses it. @throws ContractAbsent */
  call(contract: string, data: string): Promise<string | null>;
  /** The same for a call by a given account, with its events; null if no server simulates calls for others. @throws ContractAbsent */
  trial(trial: Trial): Promise<Tried | null>;
  /** In the order of the outputs; none while the transaction is in no block. */
  receipts(txid: string): Promise<readonly Qrc20Receipt[]>;
  /** Where a token reported that an account sent or received some. */
  transfers(query: TransferQuery): Promise<readonly Place[]>;
  /** Whether any question was asked. */
  readonly asked: () => boolean;
  /** Why too few servers answered; null if enough answered every question. */
  readonly doubt: () => string | null;
}

export interface ContractReader {
  look(tip: Tip): ContractLook;
}
