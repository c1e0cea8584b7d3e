import { z } from 'zod';
import { MIN_AUDIT_DAYS, STANDARD_RETENTION } from '../../domain/retention.ts';
import { variables } from './read-config.ts';

const MAX_DAYS = 36_500;

/** For how long data is kept: docs/operations/retention.md */
export const retentionConfig = variables({
  deliveries: ['RETENTION_DELIVERIES_DAYS', days(STANDARD_RETENTION.deliveries)],
  eventBodies: ['RETENTION_EVENT_BODIES_DAYS', days(STANDARD_RETENTION.eventBodies)],
  responseExcerpts: ['RETENTION_RESPONSE_EXCERPTS_DAYS', days(STANDARD_RETENTION.responseExcerpts)],
  audit: ['RETENTION_AUDIT_DAYS', days(STANDARD_RETENTION.audit, MIN_AUDIT_DAYS)],
  patientReads: ['RETENTION_PATIENT_READS_DAYS', days(STANDARD_RETENTION.patientReads)],
});

function days(standard: number, least = 1) {
  const message = `must be a whole number of days from ${least} to ${MAX_DAYS}`;
  return z
    .string()
    .regex(/^\d{1,5}$/, message)
    .transform(Number)
    .refine((number) => number >= least && number <= MAX_DAYS, message)
    .default(standard);
}
