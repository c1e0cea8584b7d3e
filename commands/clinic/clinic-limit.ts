import { ServiceError } from '../../domain/service-error.ts';

/** 409 when the clinic's limit is reached: docs/limits.md#stored */
export function clinicLimitReached(what: 'appointments' | 'calls' | 'recordings'): ServiceError {
  return new ServiceError(
    'clinic_limit_reached',
    `The clinic has reached its limit of ${what}. Contact support for a higher limit.`,
  );
}
