import { z } from 'zod';
import { FRAMEWORK_API, type FrameworkApi } from '../framework/api.ts';
import { RpcAnswerInvalidError, RpcUnansweredError } from './errors.ts';

/** Methods that have a legacy form. */
export type LegacyMethod = {
  [M in keyof FrameworkApi]: FrameworkApi[M] extends { legacy: unknown } ? M : never;
}[keyof FrameworkApi];
/** Methods that have a v2 form. */
export type V2Method = {
  [M in keyof FrameworkApi]: FrameworkApi[M] extends { v2: unknown } ? M : never;
}[keyof FrameworkApi];

type FormOf<M extends keyof FrameworkApi, F extends string> = FrameworkApi[M] extends { readonly [K in F]: infer Form }
  ? Form
  : never;
type Given<Form> = Form extends { readonly params: infer P extends z.ZodType } ? z.input<P> : never;
type Answered<Form> = Form extends { readonly result: infer R extends z.ZodType } ? z.output<R> : never;

/** Members of a legacy request beside `method` and `userpass`. */
export type LegacyParams<M extends LegacyMethod> = Given<FormOf<M, 'legacy'>>;
/** The whole answer to a legacy request. */
export type LegacyAnswer<M extends LegacyMethod> = Answered<FormOf<M, 'legacy'>>;
/** `params` of a v2 request. */
export type V2Params<M extends V2Method> = Given<FormOf<M, 'v2'>>;
/** `result` of the answer to a v2 request. */
export type V2Result<M extends V2Method> = Answered<FormOf<M, 'v2'>>;

const api = FRAMEWORK_API;

/** By which an answer is read: named one by one, so that the type of each follows from the method. */
const LEGACY: { readonly [M in LegacyMethod]: z.ZodType<LegacyAnswer<M>> } = {
  active_swaps: api.active_swaps.legacy.result,
  all_swaps_uuids_by_filter: api.all_swaps_uuids_by_filter.legacy.result,
  buy: api.buy.legacy.result,
  cancel_order: api.cancel_order.legacy.result,
  coins_needed_for_kick_start: api.coins_needed_for_kick_start.legacy.result,
  convertaddress: api.convertaddress.legacy.result,
  disable_coin: api.disable_coin.legacy.result,
  electrum: api.electrum.legacy.result,
  enable: api.enable.legacy.result,
  get_enabled_coins: api.get_enabled_coins.legacy.result,
  import_swaps: api.import_swaps.legacy.result,
  metrics: api.metrics.legacy.result,
  my_balance: api.my_balance.legacy.result,
  my_orders: api.my_orders.legacy.result,
  my_recent_swaps: api.my_recent_swaps.legacy.result,
  my_swap_status: api.my_swap_status.legacy.result,
  recover_funds_of_swap: api.recover_funds_of_swap.legacy.result,
  sell: api.sell.legacy.result,
  send_raw_transaction: api.send_raw_transaction.legacy.result,
  setprice: api.setprice.legacy.result,
  stats_swap_status: api.stats_swap_status.legacy.result,
  stop: api.stop.legacy.result,
  version: api.version.legacy.result,
  withdraw: api.withdraw.legacy.result,
};

const V2: { readonly [M in V2Method]: z.ZodType<V2Result<M>> } = {
  active_swaps: api.active_swaps.v2.result,
  cancel_order: api.cancel_order.v2.result,
  enable_tendermint_with_assets: api.enable_tendermint_with_assets.v2.result,
  get_enabled_coins: api.get_enabled_coins.v2.result,
  my_recent_swaps: api.my_recent_swaps.v2.result,
  my_swap_status: api.my_swap_status.v2.result,
  recreate_swap_data: api.recreate_swap_data.v2.result,
  'rpc.discover': api['rpc.discover'].v2.result,
  'stream::balance::enable': api['stream::balance::enable'].v2.result,
  'stream::disable': api['stream::disable'].v2.result,
  'stream::fee_estimator::enable': api['stream::fee_estimator::enable'].v2.result,
  'stream::heartbeat::enable': api['stream::heartbeat::enable'].v2.result,
  'stream::network::enable': api['stream::network::enable'].v2.result,
  'stream::order_status::enable': api['stream::order_status::enable'].v2.result,
  'stream::orderbook::enable': api['stream::orderbook::enable'].v2.result,
  'stream::shutdown_signal::enable': api['stream::shutdown_signal::enable'].v2.result,
  'stream::swap_status::enable': api['stream::swap_status::enable'].v2.result,
  'stream::tx_history::enable': api['stream::tx_history::enable'].v2.result,
  'swap::offer': api['swap::offer'].v2.result,
  'swap::take': api['swap::take'].v2.result,
  'task::enable_eth::cancel': api['task::enable_eth::cancel'].v2.result,
  'task::enable_eth::init': api['task::enable_eth::init'].v2.result,
  'task::enable_eth::status': api['task::enable_eth::status'].v2.result,
  'task::enable_eth::user_action': api['task::enable_eth::user_action'].v2.result,
  'task::enable_tendermint::cancel': api['task::enable_tendermint::cancel'].v2.result,
  'task::enable_tendermint::init': api['task::enable_tendermint::init'].v2.result,
  'task::enable_tendermint::status': api['task::enable_tendermint::status'].v2.result,
  'task::enable_tendermint::user_action': api['task::enable_tendermint::user_action'].v2.result,
  withdraw: api.withdraw.v2.result,
};

/** What a method answers in its legacy form. @throws RpcAnswerInvalidError */
export function legacyAnswer<M extends LegacyMethod>(method: M, told: Told): LegacyAnswer<M> {
  return parsed(LEGACY[method], { ...told, method });
}

/** The same of `result` in its v2 form. @throws RpcAnswerInvalidError */
export function v2Result<M extends V2Method>(method: M, told: Told): V2Result<M> {
  return parsed(V2[method], { ...told, method, at: ['result'] });
}

/** What a node said, and how to show a text of it. */
export type Told = { readonly said: unknown; readonly shown: (text: string) => string };

type Reading = Told & { readonly method: string; readonly at?: readonly string[] };

function parsed<T>(schema: z.ZodType<T>, { said, shown, method, at = [] }: Reading): T {
  const read = schema.safeParse(said);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = [...at, ...(issue?.path ?? [])].map((name) => `/${String(name)}`).join('');
  throw new RpcAnswerInvalidError({
    method,
    path: shown(path === '' ? '/' : path).slice(0, LONGEST),
    fault: shown(issue?.message ?? 'it has another form').slice(0, LONGEST),
  });
}

/** Characters of what a node said that an error shows. */
const LONGEST = 300;

const OBJECT = z.record(z.string(), z.unknown());

/** The members of a body. @throws RpcUnansweredError for what is no object of JSON */
export async function membersOf(response: Response, method: string): Promise<Readonly<Record<string, unknown>>> {
  const { status } = response;
  let body: unknown;
  try {
    body = await response.json();
  } catch {
    throw new RpcUnansweredError({ method, status, fault: 'the answer is not JSON' });
  }
  const read = OBJECT.safeParse(body);
  if (read.success) return read.data;
  throw new RpcUnansweredError({ method, status, fault: 'the answer is not an object' });
}
