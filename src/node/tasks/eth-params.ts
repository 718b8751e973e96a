import { z } from 'zod';
import type { UserAction } from '../../../machines/activation/enable-eth/commands.ts';
import type { UserActionType } from '../../events/enable-eth.ts';
import { type EnableEthRequest, enableEthRequest } from '../../events/enable-eth-request.ts';
import { isJsonObject } from '../../primitives/json.ts';
import { Secret } from '../../primitives/secret.ts';
import { pathParams } from '../coin-keys.ts';
import type { Compatibility } from '../compatibility.ts';
import { A_CONTRACT } from '../evm/request-rules.ts';
import {
  flag,
  listOf,
  memberProblem,
  option,
  readAs,
  struct,
  text,
  u8,
  u32,
  u64,
  variant,
  variantProblem,
} from '../serde.ts';
import type { Init } from './platform-tasks.ts';

export type InitParams = Init<EnableEthRequest>;

// Parameters of `task::enable_eth::*` (specification §4.6 to §4.9). What is wrong with them is told in the words of the real node.

/** A schema whose text for what it refuses is the reader's own. */
function custom<T>(read: (value: unknown) => { readonly value: T } | Problem): z.ZodType<T> {
  return z.unknown().transform((value, context): T => {
    const found = read(value);
    if ('value' in found) return found.value;
    context.addIssue({ code: 'custom', message: found.problem, path: [...(found.path ?? [])] });
    return z.NEVER;
  });
}

/** `path` leads to the member below the own one. */
type Problem = { readonly problem: string; readonly path?: readonly PropertyKey[] };

const contract = custom<string>((value) => {
  if (value === undefined) return { problem: '' };
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)) return { value };
  if (typeof value !== 'string') return { problem: memberProblem(value, A_CONTRACT) };
  return { problem: `invalid value: text of ${value.length} characters, expected ${A_CONTRACT}` };
});

/** A member that must be there; zod asks no schema of its own about one that is absent. */
function required<T>(name: string, schema: z.ZodType<T>): z.ZodType<T> {
  return custom<T>((value) => {
    if (value === undefined) return { problem: `missing field \`${name}\`` };
    const read = readAs(schema, value);
    return read.ok ? { value: read.value } : read;
  });
}

const POLICIES = ['ContextPrivKey', 'Trezor', 'WalletConnect'] as const;
const POLICY = 'adjacently tagged enum EthPrivKeyActivationPolicy';

/** By name as in the specification, which the real node took up to 2.4, or as an object. */
function keyPolicy(compatibility: Compatibility) {
  return custom<unknown>((value) => {
    const named = compatibility === 'specification' && typeof value === 'string' ? { type: value } : value;
    if (!isJsonObject(named)) return { problem: memberProblem(named, POLICY) };
    const { type, params, data, session } = named;
    if (type === undefined) return { problem: 'missing field `type`' };
    if (!POLICIES.some((policy) => policy === type)) return { problem: variantProblem(type, POLICIES) };
    if (type !== 'WalletConnect') return { value: { type } };
    // The specification has the session as `data`, in its method for other chains (§2.4).
    const topic = compatibility === 'kdf' ? undefined : [data, session].find((given) => typeof given === 'string');
    if (topic !== undefined) return { value: { type, session: topic } };
    if (params === undefined) return { problem: 'missing field `params`' };
    const read = readAs(struct('WcParams', { session_topic: text }), params);
    if (read.ok) return { value: { type, session: read.value.session_topic } };
    return { problem: read.problem, path: ['params', ...read.path] };
  });
}

const webUrl = custom<string>((value) => {
  if (typeof value !== 'string') return { problem: memberProblem(value, 'a string representing an URL') };
  const fits = URL.canParse(value) && /^https?:\/\//i.test(value);
  return fits ? { value } : { problem: 'invalid value: text that is not an http URL, expected an URL' };
});

/** As many as the real node's type had, while it asked gas stations. */
const stationDecimals = custom<number | null>((value) => {
  const read = readAs(option(u8), value);
  return read.ok ? { value: read.value } : { problem: 'gas_station_decimals: expected a whole number from 0 to 255' };
});

/** Read before anyone is asked, as a legacy request is. */
const stationUrl = custom<string | null>((value) => {
  if (value === undefined || value === null) return { value: null };
  const fits = typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  return fits ? { value } : { problem: 'gas_station_url: expected an http or https url' };
});

const nftRequest = struct('EnableNftParams', {
  provider: struct('NftProviderEnum', {
    type: required('type', variant('Moralis')),
    info: struct('Info', { url: required('url', webUrl), komodo_proxy: flag.optional() }),
  }),
});

const swapContracts = struct('SwapV2Contracts', {
  maker_swap_v2_contract: required('maker_swap_v2_contract', contract),
  taker_swap_v2_contract: required('taker_swap_v2_contract', contract),
  nft_maker_swap_v2_contract: required('nft_maker_swap_v2_contract', contract),
});

const tokenRequest = z.looseObject(
  { ticker: required('ticker', text), required_confirmations: option(u64) },
  { error: ({ input }) => memberProblem(input, 'struct TokenActivationRequest') },
);
const node = z.looseObject(
  { url: required('url', text), komodo_proxy: flag.optional() },
  { error: ({ input }) => memberProblem(input, 'struct EthNode') },
);

function wire(compatibility: Compatibility) {
  return z.looseObject(
    {
      ticker: required('ticker', text),
      swap_contract_address: required('swap_contract_address', contract),
      erc20_tokens_requests: required('erc20_tokens_requests', listOf(tokenRequest)),
      nodes: listOf(node).optional(),
      fallback_swap_contract: option(contract),
      swap_v2_contracts: option(swapContracts),
      contract_supports_watchers: flag.optional(),
      rpc_mode: variant('Default').optional(),
      priv_key_policy: keyPolicy(compatibility).optional(),
      path_to_address: pathParams[compatibility].optional(),
      gap_limit: option(u32),
      scan_policy: variant('do_not_scan', 'scan_if_new_wallet', 'scan').optional(),
      min_addresses_number: option(u32),
      get_balances: flag.optional(),
      nft_req: option(nftRequest),
      required_confirmations: option(u64),
      mm2: option(u8),
      // The real node looks at none of these.
      ...(compatibility === 'specification'
        ? { gas_station_url: stationUrl.optional(), gas_station_decimals: stationDecimals.optional() }
        : {}),
      client_id: u64.optional(),
    },
    { error: ({ input }) => memberProblem(input ?? null, 'struct EnablePlatformCoinWithTokensReq') },
  );
}

/** Members that the real node does not know and so does not look at, and `mm2`, which it reads and does not look at. */
const IGNORED_THERE = [
  'gas_station_url',
  'gas_station_decimals',
  'gas_station_policy',
  'requires_notarization',
  'tx_history',
  'mm2',
];

function initSchema(compatibility: Compatibility): z.ZodType<InitParams> {
  const schema = wire(compatibility);
  return custom<InitParams>((given) => {
    const read = readAs(schema, given);
    if (!read.ok) return read;
    const { client_id, ...members } = read.value;
    if (compatibility === 'kdf') for (const name of IGNORED_THERE) delete members[name];
    const request = enableEthRequest.safeParse(members);
    if (request.success) return { value: { request: request.data, client_id: client_id ?? 0 } };
    const [issue] = request.error.issues;
    const path = issue?.path ?? [];
    return { problem: `${path.map(String).join('.')}: ${issue?.message}`, path };
  });
}

/** Parameters of `init`, as the specification has them and as the real node does. */
export const initParams: Readonly<Record<Compatibility, z.ZodType<InitParams>>> = {
  specification: initSchema('specification'),
  kdf: initSchema('kdf'),
};

/** Parameters of `status` (specification §4.7). */
export const statusParams = struct('RpcTaskStatusRequest', {
  task_id: u64,
  forget_if_finished: flag.optional().transform((forgets) => forgets ?? true),
});

/** Parameters of `cancel` (specification §4.9). */
export const cancelParams = struct('CancelRpcTaskRequest', { task_id: u64 });

/** The real node's names; the specification omits the vendor and speaks of device PIN and device passphrase. */
const ACTIONS: ReadonlyMap<unknown, UserActionType> = new Map([
  ['TrezorPin', 'TrezorPin'],
  ['TrezorPassphrase', 'TrezorPassphrase'],
  ['DevicePin', 'TrezorPin'],
  ['DevicePassphrase', 'TrezorPassphrase'],
]);

/**
 * Only the member that goes with the type is looked at, as in the real node; what a PIN holds is the device's business. No value is repeated in what
 * is told of it: it may be a passphrase in the wrong place.
 */
const userAction = custom<UserAction>((value) => {
  if (value === undefined) return { problem: 'missing field `user_action`' };
  if (!isJsonObject(value)) return { problem: 'invalid type: expected internally tagged enum HwRpcTaskUserAction' };
  const { action_type: given } = value;
  const action_type = ACTIONS.get(given);
  if (action_type === undefined) return { problem: actionProblem(given) };
  const name = action_type === 'TrezorPin' ? 'pin' : 'passphrase';
  const held = value[name];
  if (typeof held === 'string') return { value: { action_type, value: new Secret(held) } };
  return { problem: held === undefined ? `missing field \`${name}\`` : `${name}: invalid type, expected a string` };
});

function actionProblem(given: unknown): string {
  if (given === undefined) return 'missing field `action_type`';
  const isName = typeof given === 'string' && /^(?:Trezor|Device)[A-Za-z]{0,16}$/.test(given);
  return `unknown variant${isName ? ` \`${given}\`` : ''}, expected \`TrezorPin\` or \`TrezorPassphrase\``;
}

/** Parameters of `user_action` (specification §4.8). */
export const userActionParams = struct('RpcTaskUserActionRequest', { task_id: u64, user_action: userAction });
