import { z } from 'zod';
import { Secret } from '../primitives/secret.ts';
import { flag, kindOf, listOf, notAnObject, orNull, orOmitted, text, whole } from './fields.ts';

// Parameters of `task::enable_eth::init` (specification §4.6) in the spellings of the specification and of the real node.
// Unknown members are dropped: both ignore them, and their content is unknown.

const u32 = whole.refine((value) => value < 2 ** 32, {
  error: 'expected a whole number from 0 to 2^32 - 1, found a larger one',
});

/** Null counts as absent: the real node does not know the member. */
function orUsual<T extends z.ZodType>(schema: T, usual: z.output<T>) {
  return schema.nullish().transform((value): z.output<T> => value ?? usual);
}

function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: (issue) => `expected one of ${values.join(', ')}, found ${kindOf(issue.input)}` });
}

const evmAddress = text.refine((value) => /^0x[0-9a-fA-F]{40}$/.test(value), {
  error: 'expected an address as 0x and 40 hex digits, found other text',
});

const coinNode = z.object(
  {
    url: text,
    ws_url: orOmitted(text),
    api_url: orOmitted(text),
    grpc_url: orOmitted(text),
    komodo_proxy: flag.optional().default(false),
  },
  notAnObject,
);

const tokensRequest = z.object(
  {
    ticker: text,
    required_confirmations: orOmitted(whole),
    /** A custom token, which the coins file does not hold. */
    protocol: orOmitted(z.looseObject({ type: text }, notAnObject)),
  },
  notAnObject,
);

const addressPath = z.object(
  {
    account_id: u32.optional().default(0),
    chain: oneOf(['External', 'Internal']).optional().default('External'),
    address_id: u32.optional().default(0),
  },
  notAnObject,
);

const swapV2Contracts = z.object(
  { maker_swap_v2_contract: evmAddress, taker_swap_v2_contract: evmAddress, nft_maker_swap_v2_contract: evmAddress },
  notAnObject,
);

/** Keys that this build can use. A browser wallet needs a browser (specification §4.6). */
const keyPolicies = ['ContextPrivKey', 'Trezor', 'WalletConnect'] as const;
const keyPolicyType = oneOf(keyPolicies);
const session = z.union([z.instanceof(Secret), text.transform((topic) => new Secret(topic))]);

type KeyPolicy = { readonly type: (typeof keyPolicies)[number]; readonly session: Secret<string> | null };

/** A name as in the specification, or the real node's `{type, params}`; the session of a remote wallet is a secret. */
const keyPolicy = z
  .union(
    [
      keyPolicyType.transform((type) => ({ type, session: null })),
      z
        .object({
          type: keyPolicyType,
          session: orNull(session),
          params: orOmitted(z.object({ session_topic: session })),
          data: orOmitted(session),
        })
        .transform(({ type, session, params, data }) => ({
          type,
          session: (session ?? params?.session_topic ?? data ?? null) as Secret<string> | null,
        })),
    ],
    { error: (issue) => `expected a key policy of the types ${keyPolicies.join(', ')}, found ${kindOf(issue.input)}` },
  )
  .refine(({ type, session }: KeyPolicy) => type !== 'WalletConnect' || session !== null, {
    error: 'expected the session of the remote wallet, found nothing',
  });

const webUrl = text.refine((value) => /^https?:\/\/[^\s/?#]+/i.test(value), {
  error: 'expected an http or https URL, found other text',
});

const nftRequest = z.object(
  {
    provider: z.object(
      {
        type: oneOf(['Moralis']),
        info: z.object({ url: webUrl, komodo_proxy: flag.optional().default(false) }, notAnObject),
      },
      notAnObject,
    ),
  },
  notAnObject,
);

const members = {
  ticker: text,
  swap_contract_address: evmAddress,
  fallback_swap_contract: orOmitted(evmAddress),
  swap_v2_contracts: orOmitted(swapV2Contracts),
  erc20_tokens_requests: listOf(tokensRequest),
  nodes: listOf(coinNode).optional().default([]),
  contract_supports_watchers: flag.optional().default(false),
  rpc_mode: oneOf(['Default']).optional().default('Default'),
  path_to_address: addressPath.optional().default({ account_id: 0, chain: 'External', address_id: 0 }),
  gap_limit: orOmitted(u32),
  scan_policy: oneOf(['do_not_scan', 'scan_if_new_wallet', 'scan']).optional().default('scan_if_new_wallet'),
  min_addresses_number: orOmitted(u32),
  get_balances: flag.optional().default(true),
  nft_req: orOmitted(nftRequest),
  gas_station_url: orOmitted(text),
  gas_station_decimals: orUsual(whole, 8),
  gas_station_policy: orUsual(z.object({ policy: oneOf(['MeanAverageFast', 'Average']) }, notAnObject), {
    policy: 'MeanAverageFast',
  }),
  mm2: orOmitted(whole.refine((value) => value <= 1, { error: 'expected 0 or 1, found another number' })),
  required_confirmations: orOmitted(whole),
  requires_notarization: orOmitted(flag),
  tx_history: orUsual(flag, false),
};

/**
 * A request as a client sends it. Where `required_confirmations`, `requires_notarization`, `mm2` or `gap_limit` are
 * absent the coins file decides, then the defaults of the specification (§8).
 */
export const enableEthRequest = z.object(
  { ...members, priv_key_policy: keyPolicy.optional().default({ type: 'ContextPrivKey', session: null }) },
  notAnObject,
);

/** A request as the log holds it: without the session of a remote wallet and without credentials in urls. */
export const loggedEnableEthRequest = z.object(
  { ...members, priv_key_policy: z.object({ type: keyPolicyType }, notAnObject) },
  notAnObject,
);

export type EnableEthRequest = z.output<typeof enableEthRequest>;
export type LoggedEnableEthRequest = z.output<typeof loggedEnableEthRequest>;

/** The part of a request that may be written to a log. */
export function loggedRequest(request: EnableEthRequest): LoggedEnableEthRequest {
  const { nft_req, gas_station_url, priv_key_policy, ...rest } = request;
  return {
    ...rest,
    nodes: request.nodes.map((node) => ({
      url: withoutCredentials(node.url),
      ...publicUrl('ws_url', node.ws_url),
      ...publicUrl('api_url', node.api_url),
      ...publicUrl('grpc_url', node.grpc_url),
      komodo_proxy: node.komodo_proxy,
    })),
    ...(nft_req === undefined ? {} : { nft_req: publicNftRequest(nft_req) }),
    ...publicUrl('gas_station_url', gas_station_url),
    priv_key_policy: { type: priv_key_policy.type },
  };
}

/** Members of a request of which {@link loggedRequest} leaves something out, as JSON pointers in the order of their names there. */
export function withheldFrom(request: EnableEthRequest): string[] {
  const { nodes, nft_req, gas_station_url, priv_key_policy } = request;
  const urls: readonly (readonly [string, string | undefined])[] = [
    ...nodes.flatMap((node, place) => nodeUrls.map((name) => [`/nodes/${place}/${name}`, node[name]] as const)),
    ['/nft_req/provider/info/url', nft_req?.provider.info.url],
    ['/gas_station_url', gas_station_url],
  ];
  const withheld = urls.filter(([, url]) => url !== undefined && withoutCredentials(url) !== url);
  return [
    ...withheld.map(([pointer]) => pointer),
    ...(priv_key_policy.session === null ? [] : ['/priv_key_policy/session']),
  ];
}

const nodeUrls = ['url', 'ws_url', 'api_url', 'grpc_url'] as const;

function publicNftRequest({ provider }: z.output<typeof nftRequest>): z.output<typeof nftRequest> {
  return { provider: { ...provider, info: { ...provider.info, url: withoutCredentials(provider.info.url) } } };
}

function publicUrl<K extends string>(name: K, url: string | undefined): { [N in K]?: string } {
  return (url === undefined ? {} : { [name]: withoutCredentials(url) }) as { [N in K]?: string };
}

/** Parts of a path that are longer than names of networks and versions are, or mix digits with letters as keys do. */
const KEY_LIKE = /^(?:.{16,}|(?=.*[0-9])(?=.*[a-z]).{8,})$/i;

/**
 * The url without anything that could open a node: nothing before its last `@`, however it is spelled and wherever that stands, because a
 * password may hold any character; no query and no fragment; and nothing of its path from the first part on that could be a key, as providers
 * of nodes have them.
 */
export function withoutCredentials(url: string): string {
  const scheme = /^\s*[a-z][a-z0-9+.-]*:\/*/i.exec(url)?.[0].trim() ?? '';
  const at = url.lastIndexOf('@');
  const bare = at < 0 ? url : scheme + url.slice(at + 1);
  const [address = ''] = bare.split(/[?#]/);
  const [host = '', ...path] = address.slice(scheme.length).split('/');
  const key = path.findIndex((part) => KEY_LIKE.test(part));
  return key < 0 ? address : [scheme + host, ...path.slice(0, key), ''].join('/');
}
