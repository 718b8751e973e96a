/** A body is longer than anybody reads. */
export class BodyTooLong extends Error {}

/** The text of an answer, read as far as its bound and no further. @throws BodyTooLong; what the connection throws */
export async function textWithin(response: Pick<Response, 'body'>, mostBytes: number): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of response.body) {
    bytes += chunk.length;
    // Leaving the loop lets go of the connection.
    if (bytes > mostBytes) throw new BodyTooLong();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
