import { z } from 'zod';
import { isJsonObject, type JsonObject, numberText } from '../primitives/json.ts';
import { withoutCredentials } from './enable-eth-request.ts';
import { flag, kindOf, listOf, notAnObject, orOmitted, text, whole } from './fields.ts';

// Parameters of `task::enable_tendermint::init` and `enable_tendermint_with_assets` (specification §4.10), as a log holds them. Unknown members are dropped:
// nobody knows what they hold.

const addressPath = z.object(
  { account_id: orOmitted(whole), chain: orOmitted(z.enum(['External', 'Internal'])), address_id: orOmitted(whole) },
  notAnObject,
);

const byte = whole.refine((value) => value <= 255, { error: 'expected a byte, found a larger number' });

/** A key elsewhere: its public half, or the kind of wallet that has it. A session with a wallet stands in no log. */
const keyElsewhere = z.union(
  [
    z.object({
      type: z.literal('WithPubkey'),
      params: z.object({ pubkey: z.object({ type: z.enum(['secp256k1', 'ed25519']), value: z.array(byte) }) }),
    }),
    z.object({ type: z.literal('WalletConnect') }),
  ],
  { error: (issue) => `expected a key elsewhere of the types WithPubkey, WalletConnect, found ${kindOf(issue.input)}` },
);

/** A request as the log holds it: without the session of a remote wallet and without credentials in urls. */
export const loggedEnableTendermintRequest = z.object(
  {
    ticker: text,
    nodes: listOf(z.object({ url: text, komodo_proxy: orOmitted(flag) }, notAnObject)),
    tokens_params: listOf(z.object({ ticker: text, required_confirmations: orOmitted(whole) }, notAnObject)),
    tx_history: orOmitted(flag),
    get_balances: orOmitted(flag),
    path_to_address: orOmitted(addressPath),
    activation_params: orOmitted(keyElsewhere),
    priv_key_policy: orOmitted(text),
    mm2: orOmitted(whole),
    required_confirmations: orOmitted(whole),
    requires_notarization: orOmitted(flag),
  },
  notAnObject,
);

export type LoggedEnableTendermintRequest = z.output<typeof loggedEnableTendermintRequest>;

type Count = number | null | undefined;

/** A request as a client sends it, with what nobody has looked at yet. */
export type EnableTendermintRequest = {
  readonly ticker: string;
  readonly nodes: readonly { readonly url: string; readonly komodo_proxy?: boolean | undefined }[];
  readonly tokens_params: readonly { readonly ticker: string; readonly required_confirmations?: Count }[];
  readonly tx_history?: boolean | null | undefined;
  readonly get_balances?: boolean | undefined;
  readonly path_to_address?: unknown;
  readonly activation_params?: unknown;
  readonly priv_key_policy?: unknown;
  readonly mm2?: Count;
  readonly required_confirmations?: Count;
  readonly requires_notarization?: boolean | null | undefined;
};

/** The part of a request that may be written to a log: members that have an effect, in the form that they have one in. */
export function loggedTendermintRequest(request: EnableTendermintRequest): LoggedEnableTendermintRequest {
  const { ticker, nodes, tokens_params, tx_history, get_balances, requires_notarization } = request;
  const { path_to_address, activation_params, priv_key_policy, mm2, required_confirmations } = request;
  return {
    ticker,
    nodes: nodes.map(({ url, komodo_proxy }) => ({
      url: withoutCredentials(url),
      ...(komodo_proxy === undefined ? {} : { komodo_proxy }),
    })),
    tokens_params: tokens_params.map((token) => ({
      ticker: token.ticker,
      ...counted('required_confirmations', token.required_confirmations),
    })),
    ...flagged('tx_history', tx_history),
    ...flagged('get_balances', get_balances),
    ...member('path_to_address', pathIn(path_to_address)),
    ...member('activation_params', keyIn(activation_params)),
    ...member('priv_key_policy', policyIn(priv_key_policy)),
    ...counted('mm2', mm2),
    ...counted('required_confirmations', required_confirmations),
    ...flagged('requires_notarization', requires_notarization),
  };
}

/**
 * Members of a request of which {@link loggedTendermintRequest} leaves something out, as JSON pointers. What cannot be read is among them: without it the
 * request would be about another account.
 */
export function withheldFromTendermint(request: EnableTendermintRequest): readonly string[] {
  const { nodes, activation_params: elsewhere, path_to_address: path, priv_key_policy: policy } = request;
  const urls = nodes.flatMap(({ url }, place) => (withoutCredentials(url) === url ? [] : [`/nodes/${place}/url`]));
  const key = keyIn(elsewhere);
  return [
    ...urls,
    ...(isGiven(elsewhere) && key === undefined ? ['/activation_params'] : []),
    ...(key?.type === 'WalletConnect' ? [`/activation_params/${sessionPlace(elsewhere)}`] : []),
    ...(isGiven(path) && !isWhole(path) ? ['/path_to_address'] : []),
    ...(isGiven(policy) && policyIn(policy) === undefined ? ['/priv_key_policy'] : []),
  ];
}

function sessionPlace(elsewhere: unknown): string {
  return isJsonObject(elsewhere) && elsewhere['type'] !== undefined ? 'params' : 'priv_key_policy/data';
}

function isGiven(member: unknown): boolean {
  return member !== undefined && member !== null;
}

/** Whether the log has all of a path that says which address it is. */
function isWhole(path: unknown): boolean {
  const logged: Readonly<Record<string, unknown>> | undefined = pathIn(path);
  if (logged === undefined || !isJsonObject(path)) return false;
  return ['account_id', 'chain', 'address_id'].every((name) => !isGiven(path[name]) || logged[name] !== undefined);
}

const KEY_POLICIES = ['ContextPrivKey', 'Trezor', 'WalletConnect', 'Metamask'] as const;

function policyIn(policy: unknown): string | undefined {
  const name = isJsonObject(policy) ? policy['type'] : policy;
  return KEY_POLICIES.find((known) => known === name);
}

type KeyElsewhere = z.output<typeof keyElsewhere>;

/** The real node has `type` and `params`, the specification the same below `priv_key_policy`, with `data`. Undefined for none that can be named. */
function keyIn(elsewhere: unknown): KeyElsewhere | undefined {
  if (!isJsonObject(elsewhere)) return undefined;
  const { type, params, priv_key_policy: policy } = elsewhere;
  const below = isJsonObject(policy) ? { type: policy['type'], params: policy['data'] } : {};
  const read = keyElsewhere.safeParse(type === undefined ? below : { type, params });
  return read.success ? read.data : undefined;
}

function pathIn(path: unknown): z.output<typeof addressPath> | undefined {
  if (!isJsonObject(path)) return undefined;
  const [account_id, address_id] = [numberIn(path, 'account_id'), numberIn(path, 'address_id')];
  const { chain } = path;
  return {
    ...member('account_id', account_id),
    ...(chain === 'External' || chain === 'Internal' ? { chain } : {}),
    ...member('address_id', address_id),
  };
}

function numberIn(members: JsonObject, name: string): number | undefined {
  const number = Number(numberText(members[name] ?? null) ?? Number.NaN);
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

function member<K extends string, V>(name: K, value: V | undefined): { [N in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { [N in K]?: V };
}

function flagged<K extends string>(name: K, value: boolean | null | undefined): { [N in K]?: boolean } {
  return member(name, value ?? undefined);
}

function counted<K extends string>(name: K, value: Count): { [N in K]?: number } {
  return member(name, value ?? undefined);
}
