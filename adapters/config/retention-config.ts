import { z } from 'zod';
import { LEAST_AUDIT_DAYS, STANDARD_RETENTION, type RetentionDays } from '../../domain/retention.ts';

const MOST_DAYS = 36_500;

/** How long data is kept: docs/operations.md#what-is-kept-for-how-long */
export const retentionConfig = z
  .object({
    RETENTION_DELIVERIES_DAYS: days(STANDARD_RETENTION.deliveries),
    RETENTION_EVENT_BODIES_DAYS: days(STANDARD_RETENTION.eventBodies),
    RETENTION_RESPONSE_EXCERPTS_DAYS: days(STANDARD_RETENTION.responseExcerpts),
    RETENTION_AUDIT_DAYS: days(STANDARD_RETENTION.audit, LEAST_AUDIT_DAYS),
    RETENTION_PATIENT_READS_DAYS: days(STANDARD_RETENTION.patientReads),
  })
  .transform((variables): RetentionDays => ({
    deliveries: variables.RETENTION_DELIVERIES_DAYS,
    eventBodies: variables.RETENTION_EVENT_BODIES_DAYS,
    responseExcerpts: variables.RETENTION_RESPONSE_EXCERPTS_DAYS,
    audit: variables.RETENTION_AUDIT_DAYS,
    patientReads: variables.RETENTION_PATIENT_READS_DAYS,
  }));

function days(standard: number, least = 1) {
  const message = `must be a whole number of days from ${least} to ${MOST_DAYS}`;
  return z
    .string()
    .regex(/^\d{1,5}$/, message)
    .transform(Number)
    .refine((number) => number >= least && number <= MOST_DAYS, message)
    .default(standard);
}
