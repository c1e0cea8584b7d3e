import type { z } from 'zod';
import type { ClinicDatabase, EntityManager } from '../../db/connection/open-database.ts';
import { listAppointments, listUpdatedAppointments } from '../../db/appointments/lists/list-appointments.ts';
import { findSyncMark } from '../../db/connection/sync-mark.ts';
import { fieldError } from '../../domain/service-error.ts';
import { answer, implement } from '../contract/implement.ts';
import type { HandlerRequest } from '../contract/route.ts';
import { presentShown } from '../contract/presented.ts';
import { appointmentListContracts, searchCursor, startCursor, updateCursor } from './lists.contract.ts';
import { presentAppointment } from './present.ts';

type Query = HandlerRequest<(typeof appointmentListContracts)['listAppointments']>['query'];

export const appointmentListRoutes = implement(appointmentListContracts, ({ database, phoneHash }) => ({
  listAppointments: async ({ query, caller: { tenantId }, read }) => {
    const { updatedSince, acknowledged: isAcknowledged, ...rest } = query;
    const wanted = { ...rest, tenantId, isAcknowledged };
    // This connection can see the running transactions of every role, which the sync mark depends on.
    const newMark = () => findSyncMark(database.admission());
    const page = updatedSince
      ? pageByUpdate(read, { ...wanted, updatedSince }, newMark)
      : read((em) => pageByStart(em, wanted));
    return answer(200, await page);
  },
  searchAppointments: async ({ body, caller: { tenantId }, read }) => {
    const { patientPhone: e164, limit, cursor: after, ...filter } = body;
    const patientPhoneHashes = e164 === undefined ? undefined : phoneHash.every({ tenantId, e164 });
    const patient = { ...filter, tenantId, patientPhoneHashes };
    const { rows, hasMore } = await read((em) => listAppointments(em, patient, { limit, after }));
    return answer(200, presentShown(rows.map(presentAppointment), hasMore, searchCursor));
  },
}));

type Wanted<Query> = Omit<Query, 'acknowledged'> & { tenantId: string; isAcknowledged?: boolean | undefined };

async function pageByStart(em: EntityManager, wanted: Wanted<Omit<Query, 'updatedSince'>>) {
  const { limit, cursor, ...filter } = wanted;
  const after = readCursor(startCursor, cursor);
  const { rows, hasMore } = await listAppointments(em, filter, { limit, after });
  return presentShown(rows.map(presentAppointment), hasMore, startCursor);
}

/** The sync mark is read before the rows. Later pages use the mark of the first page. */
async function pageByUpdate(
  read: ClinicDatabase['read'],
  { limit, cursor, ...filter }: Wanted<Query & { updatedSince: Date }>,
  newMark: () => Promise<Date>,
) {
  const [updatedAtMs, id, markMs] = readCursor(updateCursor, cursor) ?? [];
  const mark = markMs === undefined ? await newMark() : new Date(markMs);
  const after = updatedAtMs !== undefined && id ? { updatedAt: new Date(updatedAtMs), id } : undefined;
  const { rows, hasMore } = await read((em) => listUpdatedAppointments(em, filter, { limit, after }));
  const encode = (last: { updatedAt: string; id: string }) =>
    updateCursor.encode([Date.parse(last.updatedAt), last.id, mark.getTime()]);
  const page = presentShown(rows.map(presentAppointment), hasMore, { encode });
  return { ...page, syncedUntil: mark.toISOString() };
}

function readCursor<Place>({ parameter }: { parameter: z.ZodType<Place> }, text: string | undefined) {
  const read = parameter.optional().safeParse(text);
  if (!read.success) throw fieldError('query.cursor', 'must be a `nextCursor` of this list');
  return read.data;
}
