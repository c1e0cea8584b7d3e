/** Shown to operators in Temporal. */
export const RETENTION_SUMMARY = 'Deletes data whose retention period has ended';

/** What is deleted after a time, in this order: docs/operations/retention.md */
export const RETENTION_CLASSES = [
  'deliveries',
  'eventBodies',
  'responseExcerpts',
  'transcripts',
  'recordings',
  'audit',
] as const;
export type RetentionClass = (typeof RETENTION_CLASSES)[number];

/** Classes whose retention each clinic sets; by default forever. */
export type ClinicRetentionClass = Extract<RetentionClass, 'transcripts' | 'recordings'>;

/** Retention in days of the other classes; the access log is handled with the audit. */
export type RetentionDays = Record<Exclude<RetentionClass, ClinicRetentionClass> | 'patientReads', number>;

export const STANDARD_RETENTION: RetentionDays = {
  deliveries: 400,
  eventBodies: 90,
  responseExcerpts: 30,
  // Three years, with leap days.
  audit: 1096,
  // Two years, with a leap day.
  patientReads: 731,
};

/** Younger entries cannot be deleted by anyone. */
export const MIN_AUDIT_DAYS = 366;

/** The progress of the search for expired rows. */
export interface RetentionPosition {
  clinicId: string;
  /** The last event checked; absent when the clinic is done. */
  event?: { createdAt: string; id: string };
}
