/** Where a request goes, and what it says of who sends it. */
export type HttpPlace = {
  readonly url: string;
  /** With its port; empty for a text that is no url. */
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Credentials of the address go where HTTP has them: no connection takes them in it. */
export function httpPlaceOf(url: string): HttpPlace {
  if (!URL.canParse(url)) return { url, host: '', headers: {} };
  const place = new URL(url);
  const user = [place.username, place.password].map(unescaped).join(':');
  place.username = '';
  place.password = '';
  const authorization = `Basic ${Buffer.from(user).toString('base64')}`;
  return { url: place.href, host: place.host, headers: user === ':' ? {} : { authorization } };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
