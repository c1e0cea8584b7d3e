/** `{ '--port': '1' }` → `['--port', '1']`, so that a flag and its value stand together. */
export function programFlags(values: Record<string, string>): string[] {
  return Object.entries(values).flat();
}
