import { earliestStart, type TimeRange } from '../../domain/appointments/slot.ts';
import type { AppointmentRow } from '../entities/appointment.entity.ts';
import { openRow, openRows } from '../encryption/field-seal.ts';
import { BusyBlockEntity, type BusyBlockRow } from '../entities/busy-block.entity.ts';
import { hasValues, tables, type EntityManager } from '../connection/statements.ts';

export interface BusyBlockFilter {
  tenantId: string;
  /** Only blocks that end after this time. */
  from?: Date;
  /** Only blocks that begin before this time. */
  to?: Date;
  /** Null for blocks of the whole clinic. */
  professionalId?: string | null;
}

/** The clinic's blocks after `after`, ordered by (`startsAt`, `id`). */
export async function listBusyBlocks(
  em: EntityManager,
  { tenantId, from, to, professionalId }: BusyBlockFilter,
  { after, limit }: { after?: { startsAt: Date; id: string } | undefined; limit: number },
): Promise<BusyBlockRow[]> {
  const conditions = [
    ...(from ? [{ endsAt: { $gt: from } }] : []),
    ...(to ? [{ startsAt: { $lt: to } }] : []),
    ...(after ? [laterByStart(after)] : []),
  ];
  const where = { tenantId, ...(professionalId !== undefined && { professionalId }), $and: conditions };
  const rows = await em.find(BusyBlockEntity, where, { orderBy: { startsAt: 'asc', id: 'asc' }, limit });
  return openRows(em, 'busyBlock', rows);
}

/** Null when the clinic has no such block. */
export async function findBusyBlock(
  em: EntityManager,
  where: { tenantId: string } & ({ id: string } | { externalId: string }),
): Promise<BusyBlockRow | null> {
  const block = await em.findOne(BusyBlockEntity, where);
  return block && (await openRow(em, 'busyBlock', block));
}

function laterByStart({ startsAt, id }: { startsAt: Date; id: string }) {
  return { startsAt: { $gte: startsAt }, $or: [{ startsAt: { $gt: startsAt } }, { id: { $gt: id } }] };
}

export type CollidingAppointment = Pick<AppointmentRow, 'id' | 'startsAt' | 'patientName'>;

/** The first appointments of the professional, or of everyone, that overlap the range. */
export async function findCollidingAppointments(
  em: EntityManager,
  { tenantId, professionalId, from, until }: TimeRange & { tenantId: string; professionalId: string | null },
  limit: number,
): Promise<CollidingAppointment[]> {
  const rows = await tables(em)
    .selectFrom('appointment')
    .select(['id', 'tenantId', 'startsAt', 'patientName'])
    .where((visit) => hasValues(visit, { tenantId, professionalId: professionalId ?? undefined }))
    .where((visit) => visit.or([visit('blocks', '=', true), visit('blocksOver', '=', true)]))
    .where('startsAt', '>', earliestStart(from))
    .where('startsAt', '<', until)
    .where('endsAt', '>', from)
    .orderBy('startsAt')
    .orderBy('id')
    .limit(limit)
    .execute();
  return openRows(em, 'appointment', rows);
}
