export {
  createInProcessNetwork,
  type Delivery,
  type DeliveryPolicy,
  type InProcessNetwork,
  type InProcessNetworkOptions,
} from './network.ts';
export {
  createOrderNetwork,
  type OrderDelivery,
  type OrderDeliveryPolicy,
  type OrderNetwork,
  type OrderNetworkOptions,
} from './orders.ts';
