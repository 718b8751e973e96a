import type { z } from 'zod';
import type { Awaitable } from '../ports/event-log.ts';
import type { WalletSigner } from '../ports/signer.ts';
import type { JsonObject } from '../primitives/json.ts';
import { ActivationFailure } from './activation-failure.ts';
import type { Compatibility } from './compatibility.ts';
import { inMember, option, readAs, struct, u32, variant } from './serde.ts';

/** Keys by their derivation path, for a wallet whose coins have keys of their own. It may ask elsewhere. */
export type SignerOfPath = (path: string) => Awaitable<WalletSigner>;

const addressPath = option(
  struct('HDPathAccountToAddressId', {
    account_id: option(u32),
    chain: option(variant('External', 'Internal')),
    address_id: option(u32),
  }),
);

/** The path of an address in the parameters of activations that are tasks: all of it, or with the specification a part. */
export const pathParams: Readonly<Record<Compatibility, z.ZodType>> = {
  specification: struct('HDPathAccountToAddressId', {
    account_id: u32.optional(),
    chain: variant('External', 'Internal').optional(),
    address_id: u32.optional(),
  }),
  kdf: struct('HDPathAccountToAddressId', {
    account_id: u32,
    chain: variant('External', 'Internal'),
    address_id: u32,
  }),
};

/** Of the numbers of a path those below it can be hardened. */
const MOST = 0x7fff_ffff;
const PATH_TO_COIN = /^m\/(?:32|44|49|84)'\/\d{1,10}'$/;

/**
 * The path of a coin's key: what the entry says of the coin, then what the request says of the address, both from 0 (as in the real node).
 *
 * @throws ActivationFailure entryInvalid, requestInvalid
 */
export function keyPathOf(entry: JsonObject, request: JsonObject): string {
  const { derivation_path: base = null } = entry;
  if (base === null) throw new ActivationFailure('entryInvalid', "'derivation_path' field is not found in config");
  if (typeof base !== 'string' || !PATH_TO_COIN.test(base)) {
    throw new ActivationFailure(
      'entryInvalid',
      "derivation_path: expected a path such as m/44'/141', from purpose 32, 44, 49 or 84",
    );
  }
  const { account_id, chain, address_id } = addressPathOf(request);
  for (const [name, number] of Object.entries({ account_id, address_id })) {
    if ((number ?? 0) > MOST) throw new ActivationFailure('requestInvalid', `${name} ${number} is above ${MOST}`);
  }
  return `${base}/${account_id ?? 0}'/${chain === 'Internal' ? 1 : 0}/${address_id ?? 0}`;
}

type AddressPath = NonNullable<z.output<typeof addressPath>>;
const FIRST_ADDRESS: AddressPath = { account_id: null, chain: null, address_id: null };

/** What a request says of the address below the coin's path. @throws ActivationFailure requestInvalid */
export function addressPathOf(request: JsonObject, compatibility: Compatibility = 'kdf'): AddressPath {
  const read = readAs(addressPath, request['path_to_address'] ?? null);
  if (!read.ok) throw new ActivationFailure('requestInvalid', inMember('path_to_address', { ...read, compatibility }));
  return read.value ?? FIRST_ADDRESS;
}
