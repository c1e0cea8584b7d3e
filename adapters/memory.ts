/** Values by their keys, as long as they are among the last that were kept. */
export interface Memory<Value> {
  keep(key: string, value: Value): void;
  /** Makes it where it is not known. */
  of(key: string, make: () => Value): Value;
}

export function createMemory<Value>(most: number): Memory<Value> {
  const kept = new Map<string, Value>();
  const keep = (key: string, value: Value) => {
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size >= most) kept.delete(oldest);
    kept.set(key, value);
  };
  return {
    keep,
    of(key, make) {
      const known = kept.get(key);
      if (known !== undefined) return known;
      const value = make();
      keep(key, value);
      return value;
    },
  };
}
