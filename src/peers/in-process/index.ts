export {
  createInProcessNetwork,
  type Delivery,
  type DeliveryPolicy,
  type InProcessNetwork,
  type InProcessNetworkOptions,
} from './network.ts';
