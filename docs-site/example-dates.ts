const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

/** The first date of the examples; the appointment is ten days later. */
const STORY_BEGINS = Date.parse('2026-02-20T00:00:00Z');

const DATE = /\b(2026-0[23]-\d{2})(?=T\d{2}:\d{2})/g;

/** Moves the dates of the examples into the future. */
export interface ExampleDates {
  /** A number that changes when the dates move: once a week. */
  weeks: number;
  inText: (text: string) => string;
  /** Moves the dates in all texts of a value. */
  inValue: <T>(value: T) => T;
}

/** Moves dates by whole weeks, so that a Monday stays a Monday. The appointment is then 3 to 10 days ahead. */
export function exampleDates(now: Date): ExampleDates {
  const weeks = Math.max(0, Math.floor((now.getTime() - STORY_BEGINS) / WEEK_MS));
  const inText = (text: string) =>
    text.replaceAll(DATE, (date) => new Date(Date.parse(date) + weeks * WEEK_MS).toISOString().slice(0, 10));
  const inValue = <T>(value: T): T => JSON.parse(inText(JSON.stringify(value))) as T;
  return { weeks, inText, inValue };
}
