/** One of the values at random; undefined when there are none. */
export function anyOf<T>(values: readonly T[]): T {
  return values[Math.floor(Math.random() * values.length)] as T;
}
