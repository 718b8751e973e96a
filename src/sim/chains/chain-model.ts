import type { StoredTransaction } from '../../events/payloads.ts';
import type {
  Answer,
  ChainTraits,
  FeeCheck,
  Hold,
  PaymentQuery,
  PaymentView,
  PreparedTransaction,
  PrepareRequest,
  PromisedPayment,
  Quote,
  SignedTransaction,
  TransactionView,
} from '../../ports/chain.ts';
import type { ChainView } from './blocks.ts';
import type { Acceptance } from './faults.ts';
import type { Network } from './network.ts';
import type { SeenPurpose } from './types.ts';

/** What a lie or a fault must know about a transaction. */
export type Description = {
  readonly purpose: SeenPurpose;
  /** Key or address of the payer, if it funds or spends a payment. */
  readonly payer: string | null;
};

/** What a wallet sees when it is asked, and for which swap; null if no swap is named. */
export type Asked = { readonly view: ChainView; readonly swap: string | null };

/** What one kind of chain does for one wallet, as seen by a node without faults. */
export type ChainModel = {
  readonly traits: ChainTraits;
  readonly party: string;
  readonly network: Network;
  readonly truth: () => ChainView;
  readonly lagging: (blocks: number, until: number) => ChainView;
  readonly htlcKey: (swap: string) => string;
  readonly quote: (view: ChainView) => Answer<Quote>;
  readonly payment: (query: PaymentQuery, view: ChainView) => Answer<PaymentView>;
  readonly transaction: (hash: string, view: ChainView) => Answer<TransactionView>;
  readonly checkFee: (check: FeeCheck, asked: Asked) => Answer<string | null>;
  readonly prepare: (request: PrepareRequest, asked: Asked) => Answer<PreparedTransaction>;
  readonly submit: (transaction: SignedTransaction) => Acceptance;
  /** The true state of a transaction: what `submit` would answer, without doing anything; null if it would be new. */
  readonly standing: (transaction: SignedTransaction) => Acceptance | null;
  readonly reserve: (transactions: readonly SignedTransaction[]) => void;
  readonly release: (transactions: readonly SignedTransaction[]) => void;
  readonly hold: (hold: Hold) => void;
  readonly resumed: () => void;
  readonly forget: () => void;
  /** By id or hex; null for what is unknown and cannot be read. */
  readonly describe: (transaction: string) => Description | null;
  /** What bytes of a payment promise to watchers. @defaultValue this chain pays none */
  readonly promised?: (hex: string) => PromisedPayment | null;
  /** A transaction that would fund the terms of the query, for a node that claims to see one. */
  readonly pretend: (query: PaymentQuery) => StoredTransaction;
  /** The address of a key in hex, in the form in which descriptions name payers. */
  readonly addressOf: (key: string) => string;
};
