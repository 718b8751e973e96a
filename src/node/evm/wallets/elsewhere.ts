import { DeviceError } from '../../../hardware/device-error.ts';
import type { RemoteAccount } from '../../../hardware/remote/account.ts';
import type { Signer, WalletSigner } from '../../../ports/signer.ts';

/** The key of a hardware wallet, of which the public side is known. It signs no bare hashes, so that its coins are not for swaps. */
export function deviceSigner(key: Uint8Array): WalletSigner {
  return ofOne({
    key,
    sign() {
      const message =
        'The key of this account is in a hardware wallet. This node shows its coins but does not spend them: ' +
        "send them with the device's own program.";
      throw new DeviceError({ kind: 'unsupported', message });
    },
  });
}

/** The key of a remote wallet, which signs transactions that its user confirms. */
export function remoteSigner({ key, sign }: RemoteAccount): WalletSigner {
  return ofOne({
    key,
    sign() {
      const message = 'The key of this account is in a remote wallet, which does not sign bare hashes.';
      throw new DeviceError({ kind: 'unsupported', message });
    },
    signTransaction: async (transaction) => (await sign(transaction)).raw,
  });
}

function ofOne(coins: Signer): WalletSigner {
  return { coins, ofSwap: () => coins };
}
