import type { PaymentTerms, PrepareRequest, SignedTransaction } from '../../ports/chain.ts';
import type { SimChain, SimWallet } from '../chains/types.ts';

type Found = { readonly terms: PaymentTerms; readonly funding: SignedTransaction; readonly isOpen: boolean };

/**
 * What someone without own swaps does after each block: it reads what payments promise and the secrets that claims show, and ends every payment that
 * pays it for doing so.
 */
export function raker(name: string): (coin: string, chain: SimChain) => void {
  const wallets = new Map<string, SimWallet>();
  const secrets = new Map<string, string>();
  return (coin, chain) => {
    const wallet = wallets.get(coin) ?? chain.wallet({ party: name });
    wallets.set(coin, wallet);
    if (wallet.traits.rewards !== true) return;
    const open = promisedOn(chain, { wallet, secrets }).filter(({ isOpen }) => isOpen);
    const waits = chain.ledger.transactions(name).some(({ status }) => status === 'mempool');
    if (waits) return;
    for (const { terms, funding } of open) {
      // Whatever remains of its earlier transactions is in blocks.
      wallet.restart();
      const made = callFor(wallet, { terms, funding }, secrets.get(terms.secretHash));
      if (made === null || !wallet.broadcast(made).ok) continue;
      return;
    }
  };
}

type Reading = { readonly wallet: SimWallet; readonly secrets: Map<string, string> };

function promisedOn({ ledger }: SimChain, { wallet, secrets }: Reading): readonly Found[] {
  return ledger.transactions().flatMap(({ purpose, status, reward, hex, hash }): readonly Found[] => {
    if (purpose !== 'payment' || status !== 'confirmed' || reward === undefined) return [];
    const terms = wallet.promised?.(hex)?.terms;
    const view = terms === undefined ? null : wallet.payment({ terms });
    if (terms === undefined || view?.ok !== true) return [];
    const { spend } = view.value;
    if (spend !== null && spend.secret !== null) secrets.set(terms.secretHash, spend.secret);
    return [{ terms, funding: { tx_hex: hex, tx_hash: hash }, isOpen: spend === null }];
  });
}

function callFor(
  wallet: SimWallet,
  { terms, funding }: Omit<Found, 'isOpen'>,
  secret: string | undefined,
): SignedTransaction | null {
  const common = { terms, funding, urgency: 6, replaces: null, unpaid: true } as const;
  const wanted: readonly PrepareRequest[] = [
    ...(secret === undefined ? [] : [{ purpose: 'claimFor' as const, secret, ...common }]),
    { purpose: 'refundFor', ...common },
  ];
  for (const request of wanted) {
    const made = wallet.prepare(request);
    if (made.ok) return made.value;
  }
  return null;
}
