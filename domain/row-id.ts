const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const ROW_ID = `evt_[0-9a-f]{32}|${UUID}`;
const WHOLE = new RegExp(`^(?:${ROW_ID})$`, 'i');
const WITHIN = new RegExp(ROW_ID, 'i');
const WHOLE_UUID = new RegExp(`^${UUID}$`, 'i');

/** Whether the text has the form of a row's id: a UUID or an event's id. */
export function isRowId(text: string): boolean {
  return WHOLE.test(text);
}

/** Whether the text has the form of a UUID. */
export function isUuid(text: string): boolean {
  return WHOLE_UUID.test(text);
}

/** A row's id, alone or in a workflow id such as `appointment:…` or `delivery:evt_…:…`; null without one. */
export function rowIdIn(text: string): string | null {
  return WITHIN.exec(text)?.[0].toLowerCase() ?? null;
}
