/** Where to ask over HTTP, and with which credentials. */
export type HttpPlace = {
  /** Without user, password and fragment. */
  readonly url: string;
  /** Host and port, by which messages name it. */
  readonly host: string;
  /** With `authorization` if the address had a user or a password. */
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * The place of an address. `fetch` accepts no address with a user in it, so that becomes Basic authorization in UTF-8 (RFC 7617).
 *
 * @throws TypeError for a text that is no url
 */
export function httpPlace(address: string): HttpPlace {
  const place = new URL(address);
  const user = [place.username, place.password].map(unescaped).join(':');
  place.username = '';
  place.password = '';
  place.hash = '';
  const authorization = `Basic ${Buffer.from(user, 'utf8').toString('base64')}`;
  return { url: place.href, host: place.host, headers: user === ':' ? {} : { authorization } };
}

/** A percent sign that escapes nothing belongs to the password. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
