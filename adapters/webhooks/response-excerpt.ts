/** How much of an answer is read and kept. */
export const EXCERPT_BYTES = 16 * 1024;

/** The beginning of an answer's body, in memory that does not grow with what the receiver sends. */
export class ResponseExcerpt {
  readonly #kept = Buffer.alloc(EXCERPT_BYTES);
  #length = 0;

  add(chunk: Uint8Array): void {
    const part = chunk.subarray(0, EXCERPT_BYTES - this.#length);
    this.#kept.set(part, this.#length);
    this.#length += part.length;
  }

  isFull(): boolean {
    return this.#length === EXCERPT_BYTES;
  }

  /** Valid UTF-8 without NUL, so that PostgreSQL takes it, and at most EXCERPT_BYTES long in UTF-8. */
  text(): string {
    return storableText(this.#kept.subarray(0, this.#length));
  }
}

function storableText(bytes: Uint8Array): string {
  const text = decodePrefix(bytes).replaceAll('\0', '\u{FFFD}');
  // One broken byte becomes a mark of three, so the text may be longer than the bytes were.
  return decodePrefix(Buffer.from(text).subarray(0, EXCERPT_BYTES));
}

/** `stream` leaves out a character that was cut in the middle. */
function decodePrefix(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}
