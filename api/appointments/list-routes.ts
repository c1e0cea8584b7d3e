import type { ClinicDatabase, EntityManager } from '../../db/connection/open-database.ts';
import { listAppointments, listUpdatedAppointments } from '../../db/appointments/lists/list-appointments.ts';
import { findSyncMark } from '../../db/appointments/lists/sync-mark.ts';
import { fieldError } from '../../domain/service-error.ts';
import type { CursorKind } from '../../domain/cursor.schema.ts';
import { answer, implement, type HandlerRequest } from '../contract/implement.ts';
import { presentShown } from '../contract/present-page.ts';
import { appointmentListContracts, searchCursor, startCursor, updateCursor } from './lists.contract.ts';
import { presentAppointment } from './present.ts';

type Query = HandlerRequest<(typeof appointmentListContracts)['listAppointments']>['query'];

export const appointmentListRoutes = implement(appointmentListContracts, ({ database, phoneHash }) => ({
  listAppointments: async ({ query, caller: { tenantId }, read }) => {
    const { updatedSince, ...byStart } = query;
    // It has to see which transactions are under way, of whatever role.
    const newMark = () => findSyncMark(database.admission());
    const page = await (updatedSince
      ? pageByUpdate(read, tenantId, { ...query, updatedSince, newMark })
      : read((em) => pageByStart(em, tenantId, byStart)));
    return answer(200, { ...page, items: page.items.map(presentAppointment) });
  },
  searchAppointments: async ({ body, caller: { tenantId }, read }) => {
    const { patientPhone, limit, cursor, ...filter } = body;
    const patient = {
      ...filter,
      tenantId,
      ...(patientPhone && { patientPhoneHashes: phoneHash.every({ tenantId, e164: patientPhone }) }),
    };
    const found = await read((em) => listAppointments(em, patient, { limit, after: toPlace(cursor) }));
    const page = presentShown(found.rows, found.hasMore, (row) => searchCursor.encode(startOf(row)));
    return answer(200, { ...page, items: page.items.map(presentAppointment) });
  },
}));

async function pageByStart(
  em: EntityManager,
  tenantId: string,
  { limit, cursor, ...filter }: Omit<Query, 'updatedSince'>,
) {
  const after = toPlace(readCursor(startCursor, cursor));
  const { rows, hasMore } = await listAppointments(em, { ...filter, tenantId }, { limit, after });
  return presentShown(rows, hasMore, (row) => startCursor.encode(startOf(row)));
}

function toPlace(cursor: [startMs: number, id: string] | undefined) {
  return cursor && { startsAt: new Date(cursor[0]), id: cursor[1] };
}

function startOf({ startsAt, id }: { startsAt: Date; id: string }): [startMs: number, id: string] {
  return [startsAt.getTime(), id];
}

/** The mark is taken before the rows are read, and the first page's holds for the later ones. */
async function pageByUpdate(
  read: ClinicDatabase['read'],
  tenantId: string,
  { limit, cursor, newMark, ...filter }: Query & { updatedSince: Date; newMark: () => Promise<Date> },
) {
  const [updatedAtMs, id, markMs] = readCursor(updateCursor, cursor) ?? [];
  const mark = markMs === undefined ? await newMark() : new Date(markMs);
  const after = updatedAtMs !== undefined && id ? { updatedAt: new Date(updatedAtMs), id } : undefined;
  const { rows, hasMore } = await read((em) =>
    listUpdatedAppointments(em, { ...filter, tenantId }, { limit, after }),
  );
  const page = presentShown(rows, hasMore, (row) =>
    updateCursor.encode([row.updatedAt.getTime(), row.id, mark.getTime()]),
  );
  return { ...page, syncedUntil: mark.toISOString() };
}

function readCursor<T>(kind: CursorKind<T>, text: string | undefined): T | undefined {
  const read = kind.parameter.optional().safeParse(text);
  if (!read.success) throw fieldError('query.cursor', 'must be a nextCursor of this list');
  return read.data;
}
