import { z } from 'zod';
import type { TendermintAsked } from '../../../machines/activation/enable-tendermint/commands.ts';
import { isJsonObject } from '../../primitives/json.ts';
import { pathParams } from '../coin-keys.ts';
import type { Compatibility } from '../compatibility.ts';
import { flag, listOf, memberProblem, option, readAs, struct, text, u64, variantProblem } from '../serde.ts';
import type { Init } from '../tasks/platform-tasks.ts';

/** Whatever it is: it is looked at where it has a meaning. */
const anything = z.unknown().optional();

const unread = z
  .unknown()
  .transform(() => null)
  .optional();

const node = struct('RpcNode', { url: text, komodo_proxy: flag.optional() });
/** Of an asset the real node does not know the confirmations, and so does not look at them. */
const tokenOf = (compatibility: Compatibility) =>
  struct('TokenActivationRequest', {
    ticker: text,
    protocol: anything,
    required_confirmations: compatibility === 'kdf' ? unread : option(u64).optional(),
  });
/** 0 or 1; the real node does not know it. */
const mm2Of = (compatibility: Compatibility) =>
  compatibility === 'kdf'
    ? unread
    : option(u64.refine((value) => value <= 1, { error: 'invalid value: expected 0 or 1' })).optional();

const ELSEWHERE = ['WalletConnect', 'WithPubkey'] as const;
const ALGORITHMS = ['ed25519', 'secp256k1'] as const;

/** Why a key elsewhere is none that can be named; null for one that is. The form of the specification has its policy one level below. */
function elsewhereProblem(value: unknown, compatibility: Compatibility): string | null {
  if (value === null || value === undefined) return null;
  if (!isJsonObject(value)) return memberProblem(value, 'internally tagged enum TendermintPubkeyActivationParams');
  const { priv_key_policy: policy, type, params } = value;
  if (compatibility === 'specification' && isJsonObject(policy) && type === undefined) return null;
  if (type === undefined) return 'missing field `type`';
  if (!ELSEWHERE.some((name) => name === type)) return variantProblem(type, ELSEWHERE);
  if (type === 'WalletConnect') return sessionProblem(params);
  const pubkey = isJsonObject(params) ? params['pubkey'] : undefined;
  if (!isJsonObject(pubkey) || ALGORITHMS.some((name) => name === pubkey['type'])) return null;
  return "Unsupported pubkey algorithm. Use one of ['ed25519', 'secp256k1']";
}

const session = struct('WcParams', { session_topic: text });

function sessionProblem(params: unknown): string | null {
  if (params === undefined) return 'missing field `params`';
  const read = readAs(session, params);
  return read.ok ? null : read.problem;
}

function elsewhere(compatibility: Compatibility) {
  return z.unknown().transform((value, context) => {
    const problem = elsewhereProblem(value, compatibility);
    if (problem === null) return value;
    context.addIssue({ code: 'custom', message: problem });
    return z.NEVER;
  });
}

function paramsOf(compatibility: Compatibility) {
  return struct('TendermintActivationParams', {
    ticker: text,
    nodes: listOf(node),
    tokens_params: listOf(tokenOf(compatibility)),
    tx_history: option(flag).optional(),
    get_balances: flag.optional(),
    path_to_address: pathParams[compatibility].optional(),
    activation_params: elsewhere(compatibility).optional(),
    priv_key_policy: compatibility === 'kdf' ? unread : anything,
    mm2: mm2Of(compatibility),
    required_confirmations: option(u64).optional(),
    requires_notarization: option(flag).optional(),
  });
}

/** Parameters of `enable_tendermint_with_assets` (specification §4.10). What is wrong with them is told in the words of the real node. */
export const tendermintParams = { specification: paramsOf('specification'), kdf: paramsOf('kdf') } as const;

/** The client that receives the status of a task. @defaultValue 0, nobody in particular */
const client = struct('RpcInitReq', { client_id: u64.optional() });

function initOf(compatibility: Compatibility): z.ZodType<Init<TendermintAsked>> {
  return z.unknown().transform((given, context) => {
    const read = readAs(tendermintParams[compatibility], given);
    const asked = read.ok ? readAs(client, given) : read;
    if (read.ok && asked.ok) {
      const { value: params } = read;
      const { client_id = 0 } = asked.value as z.output<typeof client>;
      return { request: { ticker: params.ticker, params, atOnce: false }, client_id };
    }
    context.addIssue({ code: 'custom', message: asked.ok ? '' : asked.problem });
    return z.NEVER;
  });
}

/** Parameters of `task::enable_tendermint::init`: the same, and the client that receives the status. */
export const tendermintInitParams: Readonly<Record<Compatibility, z.ZodType<Init<TendermintAsked>>>> = {
  specification: initOf('specification'),
  kdf: initOf('kdf'),
};
