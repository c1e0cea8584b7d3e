/**
 * When the patient is expected: the start, or the reinstatement if that was later. The grace period counts from then.
 * The SQL version is in db/appointments/no-shows.ts. docs/appointments.md#no-show
 */
export function awaitedFrom({ startsAt, reinstatedAt }: { startsAt: Date; reinstatedAt: Date | null }): Date {
  return reinstatedAt && reinstatedAt > startsAt ? reinstatedAt : startsAt;
}
