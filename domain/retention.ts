/** Shown to operators in Temporal. */
export const RETENTION_SUMMARY = 'Deletes data whose retention period has ended';

/** The classes of data that are deleted after a period, in this order: docs/operations/retention.md */
export const RETENTION_CLASSES = [
  'deliveries',
  'eventBodies',
  'responseExcerpts',
  'transcripts',
  'recordings',
  'audit',
] as const;
export type RetentionClass = (typeof RETENTION_CLASSES)[number];

/** Classes whose retention each clinic sets. */
export type ClinicRetentionClass = Extract<RetentionClass, 'transcripts' | 'recordings'>;

/** The retention of the other classes in days. The access log is handled together with the activity log. */
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

/** Entries younger than this cannot be deleted. */
export const MIN_AUDIT_DAYS = 366;

/** The progress of the search for expired rows. */
export interface RetentionPosition {
  clinicId: string;
  /** The last event checked; absent when the clinic is done. */
  event?: { createdAt: string; id: string };
}
