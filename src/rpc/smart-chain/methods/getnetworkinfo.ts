import { coins } from '../amount.ts';
import type { RpcMethod } from '../method.ts';
import { NODE_VERSION } from '../node-version.ts';

const NETWORKS = ['ipv4', 'ipv6', 'onion'];

/** How the node is connected: to nobody, for a chain in one process has no network. */
export const getnetworkinfo: RpcMethod = {
  name: 'getnetworkinfo',
  usage: '',
  summary: 'Returns the versions of the node and its connections to others.',
  arity: [0, 0],
  run(_params, { chain }) {
    return {
      version: NODE_VERSION.number,
      subversion: `/MagicBean:${NODE_VERSION.text}/`,
      protocolversion: NODE_VERSION.protocol,
      localservices: '0'.repeat(16),
      timeoffset: 0,
      connections: 0,
      networks: NETWORKS.map((name) => {
        return { name, limited: true, reachable: false, proxy: '', proxy_randomize_credentials: false };
      }),
      relayfee: coins(chain.policy.minRelayFee),
      localaddresses: [],
      warnings: '',
    };
  },
};
