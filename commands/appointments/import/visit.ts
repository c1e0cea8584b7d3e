import type { ImportedItemStatus } from '../../../domain/appointments/imported-visit.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import type { Timings } from '../../../domain/timings.ts';
import type { CommandContext } from '../../command-context.ts';
import type { SaidOfAppointment } from '../plan-booking.ts';

/** An item of an import. An existing appointment keeps the fields that the item leaves out. */
export interface Visit extends ImportedItemStatus, SaidOfAppointment {
  externalId: string;
  professionalId: string;
  serviceTypeId?: string | null | undefined;
  /** Gives the appointment its own length. */
  endsAt?: Date | undefined;
  /** Whether it may be booked over others: docs/import.md#overlap */
  overlap?: boolean | undefined;
}

export type VisitOutcome =
  | { result: 'created' | 'updated' | 'unchanged'; id: string }
  | { result: 'refused'; error: ServiceError };

/** What all appointments of one import request have in common. */
export interface ImportRun {
  tenantId: string;
  /** `isQuiet` when no events are sent. */
  context: CommandContext;
}

/** Everything that planning needs besides the database. */
export type TimedRun = ImportRun & { timings: Timings };

/** Returns a refusal and throws any other error. */
export function asRefusal(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}

/** Sorts by professional, then by start. */
export function inOrderOfTime<Planned extends { visit: Visit }>(plans: readonly Planned[]): Planned[] {
  const byProfessional = Map.groupBy(plans, ({ visit }) => visit.professionalId);
  const inOrder = [...byProfessional].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return inOrder.flatMap(([, own]) =>
    own.toSorted((one, other) => one.visit.startsAt.getTime() - other.visit.startsAt.getTime()),
  );
}
