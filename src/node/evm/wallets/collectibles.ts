import { nftChainOf } from '../../../chains/evm/nft/chains.ts';
import type { EvmActivationFault, EvmActivationOrder, EvmNft } from '../../../ports/evm-activator.ts';
import type { NftProvider } from '../../../ports/nft-provider.ts';
import { Secret } from '../../../primitives/secret.ts';

export type CollectiblesAsked = {
  readonly order: EvmActivationOrder;
  readonly provider: NftProvider;
  /** Whose they are; 0x and 40 hex digits. */
  readonly owner: string;
  readonly signal: AbortSignal;
};

export type Collectibles =
  | { readonly ok: true; readonly value: Readonly<Record<string, EvmNft>> }
  | { readonly ok: false; readonly fault: EvmActivationFault };

/** The collectibles that a request asks for (`nft_req`, specification §4.6); none where it asks for none. */
export async function collectibles({ order, provider, owner, signal }: CollectiblesAsked): Promise<Collectibles> {
  const { nft_req } = order.request;
  if (nft_req === undefined) return { ok: true, value: {} };
  const chain = nftChainOf(order.ticker);
  if (chain === undefined) return failed('Internal', NO_CHAIN);
  const { url, komodo_proxy } = nft_req.provider.info;
  if (komodo_proxy)
    return failed(
      'InvalidPayload',
      'nft_req: komodo_proxy is not supported; name a provider that this node can ask directly',
    );
  const found = await provider.nftsOf({ url: new Secret(url), chain, owner, signal });
  if (found.ok) return found;
  return failed(found.fault.kind === 'internal' ? 'Internal' : 'Transport', found.fault.message);
}

const NO_CHAIN = 'The provided string does not correspond to any of the supported blockchain types.';

function failed(type: EvmActivationFault['type'], data: string): Collectibles {
  return { ok: false, fault: { type, data } };
}
