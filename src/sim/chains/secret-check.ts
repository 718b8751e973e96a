import { secretFits } from '../../htlc/secret-hash.ts';

const remembered = { secret: '', hash: '', matches: false };

/** Whether a secret has a hash, both in hex. It remembers the last answer, because one swap asks for the same pair several times. */
export function secretMatches(secret: string, hash: string): boolean {
  if (remembered.secret === secret && remembered.hash === hash) return remembered.matches;
  const matches = secretFits(secret, hash);
  remembered.secret = secret;
  remembered.hash = hash;
  remembered.matches = matches;
  return matches;
}
