/** A body is longer than the reader accepts. */
export class BodyTooLong extends Error {}

/** The text of an answer, read only up to its limit. @throws BodyTooLong; what the connection throws */
export async function textWithin(response: Pick<Response, 'body'>, mostBytes: number): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of response.body) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > mostBytes) throw new BodyTooLong();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
