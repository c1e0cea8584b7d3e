/** The same choices for the same seed, so that what was found can be found again. */
export interface Chance {
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  oneOf<T>(choices: readonly [T, ...T[]]): T;
  bytes(length: number): Buffer;
}

/** Mulberry32: a step of a counter, mixed. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    oneOf: ([first, ...others]) => others[below(others.length + 1) - 1] ?? first,
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}
