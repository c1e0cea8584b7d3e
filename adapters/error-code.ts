/**
 * The code of a system, TLS or parser error; empty without one. Checks the property, not the class, because each realm
 * (as in Jest) has its own Error.
 */
export function errorCode(error: unknown): string {
  const code: unknown = Reflect.get(Object(error), 'code');
  return typeof code === 'string' ? code : '';
}

export function isErrorCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(errorCode(error));
}
