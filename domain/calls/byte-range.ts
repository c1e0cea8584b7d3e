/** Bytes of a resource, inclusive at both ends, as in HTTP. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * The part of a resource of `size` bytes that a `Range` header requests (RFC 9110, section 14.2): a range,
 * `unsatisfiable`, or null for the whole. Multiple ranges, other units and invalid syntax count as no range, as the
 * standard permits; spaces around the range are allowed.
 */
export function requestedRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})$/i.exec(header?.trimEnd() ?? '');
  if (!match) return null;
  const [from = '', to = ''] = match.slice(1);
  if (from === '') return to === '' ? null : lastBytes(Number(to), size);
  const first = Number(from);
  const last = to === '' ? size - 1 : Number(to);
  if (last < first && to !== '') return null;
  return first < size ? { first, last: Math.min(last, size - 1) } : 'unsatisfiable';
}

function lastBytes(count: number, size: number): ByteRange | 'unsatisfiable' {
  return count > 0 && size > 0 ? { first: Math.max(0, size - count), last: size - 1 } : 'unsatisfiable';
}
