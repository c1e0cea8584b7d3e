import type { Chance } from './chance.ts';

/** What parsers of HTTP stumble over. */
const TOKENS = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  '\t',
  ':',
  ',',
  '\r\n ',
  '\r\n\r\n',
  'HTTP/1.1',
  'HTTP/2.0',
  'Content-Length: 5\r\n',
  'Content-Length: -1\r\n',
  'Content-Length: 99999999999999999999\r\n',
  'Content-Length: 0x5\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: chunked, gzip\r\n',
  'Transfer-Encoding: identity\r\n',
  'Connection: upgrade\r\nUpgrade: websocket\r\n',
  'Connection: close\r\n',
  'Expect: 100-continue\r\n',
  'X-Folded: a\r\n b\r\n',
  '0\r\n\r\n',
  'fffffffffffffffff\r\n',
  '5;a=b\r\nhello\r\n',
  'é',
  '\x16\x03\x01\x02\x00',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
] as const;

const LONG = 20_000;

/** The message with a few things done to it that no well-meaning sender does; half of the time with one, so that much of it is read. */
export function broken(message: Buffer, chance: Chance): Buffer {
  let bytes = message;
  for (let left = chance.oneOf([1, 1, 1, 2, 3, 4]); left > 0; left -= 1) bytes = brokenOnce(bytes, chance);
  return bytes;
}

function brokenOnce(bytes: Buffer, chance: Chance): Buffer {
  const at = chance.below(bytes.length + 1);
  const upTo = Math.min(bytes.length, at + chance.below(30));
  const [before, cut, after] = [bytes.subarray(0, at), bytes.subarray(at, upTo), bytes.subarray(upTo)];
  const ways: [() => Buffer[], ...(() => Buffer[])[]] = [
    () => [before, after],
    () => [before, cut, cut, after],
    () => [before, Buffer.from(chance.oneOf(TOKENS), 'latin1'), cut, after],
    () => [before, Buffer.from(chance.oneOf(TOKENS), 'latin1'), cut, after],
    () => [before, chance.bytes(chance.below(8) + 1), after],
    () => [before, Buffer.alloc(chance.below(LONG), chance.below(256)), cut, after],
    () => [before],
    () => [chance.bytes(chance.below(200))],
  ];
  return Buffer.concat(chance.oneOf(ways)());
}

/** The bytes in a few pieces, as a network may bring them. */
export function inPieces(bytes: Buffer, chance: Chance): Buffer[] {
  const cuts = Array.from({ length: chance.below(3) }, () => chance.below(bytes.length + 1)).sort(
    (a, b) => a - b,
  );
  return [0, ...cuts].map((from, at) => bytes.subarray(from, cuts[at] ?? bytes.length));
}
