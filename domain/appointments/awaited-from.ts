/**
 * From when on the patient is awaited: the start or, when it was reinstated later, that moment. The grace before a no-show
 * counts from then. db/appointments/no-shows.ts says the same in SQL. docs/appointments.md#no-show
 */
export function awaitedFrom({ startsAt, reinstatedAt }: { startsAt: Date; reinstatedAt: Date | null }): Date {
  return reinstatedAt && reinstatedAt > startsAt ? reinstatedAt : startsAt;
}
