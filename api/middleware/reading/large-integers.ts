import { LARGE_INTEGER } from '../../contract/sound-value.ts';

/** Few bodies have such a number, or text that looks like one, so few are looked at closely. */
const LOOKS_LARGE = /(?:^|[[:,\s])-?\d{16,}\s*(?:[,}\]]|$)/;
const LARGE = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;
const MARK = JSON.stringify(LARGE_INTEGER);

/** JSON with `LARGE_INTEGER` for every whole number beyond ±(2^53 − 1), which `JSON.parse` would round without a word. */
export function markLargeIntegers(json: string): string {
  if (!LOOKS_LARGE.test(json)) return json;
  const parts: string[] = [];
  let copied = 0;
  for (let from = 0; from < json.length;) {
    const quote = json.indexOf('"', from);
    const until = quote === -1 ? json.length : quote;
    const between = json.slice(from, until);
    const marked = between.replace(LARGE, (digits) => (Number.isSafeInteger(Number(digits)) ? digits : MARK));
    if (marked !== between) {
      parts.push(json.slice(copied, from), marked);
      copied = until;
    }
    from = quote === -1 ? until : endOfText(json, quote);
  }
  return parts.join('') + json.slice(copied);
}

/** Where the JSON goes on after the text that begins with the quote at `start`. */
export function endOfText(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (json[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return json.length;
}
