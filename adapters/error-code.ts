/**
 * The code of an error of the system, of TLS or of a parser; empty without one. Asks for the property, not for the class, because each
 * realm (as in Jest) has an Error class of its own.
 */
export function errorCode(error: unknown): string {
  const code: unknown = Reflect.get(Object(error), 'code');
  return typeof code === 'string' ? code : '';
}

export function isErrorCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(errorCode(error));
}
