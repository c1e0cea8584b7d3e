import { ServiceError } from '../../../domain/service-error.ts';

/** A body that was still arriving at its deadline. */
export class BodyTooLate extends ServiceError {
  constructor(deadlineMs: number) {
    super('malformed_request', `The request body did not arrive within ${deadlineMs / 1000} seconds.`);
  }
}
