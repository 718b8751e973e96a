export type { Certificate } from './electrum/certificate.ts';
export { ElectrumServerError } from './electrum/error.ts';
export {
  ELECTRUM_LIMITS,
  type ElectrumLimits,
  type ElectrumServer,
  type ElectrumServerOptions,
  openElectrumServer,
} from './electrum/server.ts';
export { type Access, type AccessOptions, type Caller, createAccess } from './framework/access.ts';
export type { ApiForm, ApiMethod } from './framework/api/form.ts';
export { FRAMEWORK_API, type FrameworkApi } from './framework/api.ts';
export type { FrameworkContext } from './framework/context.ts';
export {
  dispatchFramework,
  type FrameworkAnswer,
  type FrameworkRequest,
  type FrameworkTerms,
} from './framework/dispatch.ts';
export { type FailureKind, RpcFailure } from './framework/failure.ts';
export { type FrameworkListenOptions, listenFramework, RpcListenError } from './framework/listen.ts';
export {
  type CallContext,
  type FrameworkMethod,
  type FrameworkMethods,
  frameworkMethods,
  type LegacyForm,
  type V2Form,
  v2Form,
} from './framework/method.ts';
export { FRAMEWORK_METHODS } from './framework/methods.ts';
export { type MetricSeries, type MetricsRegistry, type MetricsView, metricsView } from './framework/metrics-view.ts';
export { type NodeRpc, type NodeRpcOptions, nodeRpc, withRpc } from './framework/node-rpc.ts';
export { type OpenRpcOptions, openRpcDocument } from './framework/openrpc.ts';
export type { StreamLimits } from './framework/stream/event-stream.ts';
export type { RpcListener, Timeouts } from './http/serve.ts';
export type { RpcCredentials } from './smart-chain/auth.ts';
export type { NodeContext, SmartChainCompatibility } from './smart-chain/context.ts';
export {
  type DispatchTerms,
  dispatch,
  type MethodTable,
  methodTable,
  type RpcAnswer,
  type WarmingUp,
} from './smart-chain/dispatch.ts';
export { type ListenOptions, listen } from './smart-chain/listen.ts';
export type { Params, RpcMethod } from './smart-chain/method.ts';
export { METHODS } from './smart-chain/methods.ts';
export { RPC_CODE, RpcError } from './smart-chain/rpc-error.ts';
