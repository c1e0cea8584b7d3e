/** Asks for the property, not for the class, because each realm (as in Jest) has an Error class of its own. */
export function isErrorCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(String(Reflect.get(Object(error), 'code')));
}
