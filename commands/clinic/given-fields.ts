/** Without the fields that are undefined: an update would set those to null, but they mean "leave it". */
export function givenFields<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
