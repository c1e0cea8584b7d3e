/** What operators read of it in Temporal. */
export const RETENTION_SUMMARY = 'Data that has been kept long enough';

/** What goes with time, in this order: docs/operations/retention.md */
export const RETENTION_CLASSES = [
  'deliveries',
  'eventBodies',
  'responseExcerpts',
  'transcripts',
  'recordings',
  'audit',
] as const;
export type RetentionClass = (typeof RETENTION_CLASSES)[number];

/** Classes of which each clinic decides how long they are kept; without a decision for ever. */
export type ClinicRetentionClass = Extract<RetentionClass, 'transcripts' | 'recordings'>;

/** How many days the other classes are kept; who read what goes with the audit. */
export type RetentionDays = Record<Exclude<RetentionClass, ClinicRetentionClass> | 'patientReads', number>;

export const STANDARD_RETENTION: RetentionDays = {
  deliveries: 400,
  eventBodies: 90,
  responseExcerpts: 30,
  // Three years, whatever leap day lies in them.
  audit: 1096,
  // Two, the same.
  patientReads: 731,
};

/** Younger entries cannot be removed by anyone. */
export const MIN_AUDIT_DAYS = 366;

/** How far the search for rows that may go has come. */
export interface RetentionPosition {
  clinicId: string;
  /** The last event that was looked at; absent: the clinic is done. */
  event?: { createdAt: string; id: string };
}
