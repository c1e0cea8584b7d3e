import type { PhoneHash } from '../../adapters/phone-hash.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { listAppointments } from '../../db/appointments/list-appointments.ts';
import { listUpdatedAppointments } from '../../db/appointments/list-updated-appointments.ts';
import { findSyncMark } from '../../db/appointments/sync-mark.ts';
import { fieldError } from '../../domain/service-error.ts';
import type { CursorKind } from '../contract/cursor.ts';
import { answer, implement, type HandlerRequest, type Route } from '../contract/implement.ts';
import { presentPage } from '../contract/present-page.ts';
import { appointmentListContracts, startCursor, updateCursor } from './lists.contract.ts';
import { presentAppointment } from './present.ts';

const LONGEST_LIST = 1000;

type Query = HandlerRequest<(typeof appointmentListContracts)['listAppointments']>['query'];

export function appointmentListRoutes({ phoneHash }: { phoneHash: PhoneHash }): Route[] {
  return implement(appointmentListContracts, {
    listAppointments: async ({ query, caller: { tenantId }, read }) => {
      const { updatedSince, ...byStart } = query;
      const page = await read((em) =>
        updatedSince
          ? pageByUpdate(em, tenantId, { ...query, updatedSince })
          : pageByStart(em, tenantId, byStart),
      );
      return answer(200, { ...page, items: page.items.map(presentAppointment) });
    },
    searchAppointments: async ({ body: { patientPhone, ...filter }, caller: { tenantId }, read }) => {
      const patientPhoneHash = phoneHash({ tenantId, e164: patientPhone });
      const patient = { ...filter, tenantId, patientPhoneHash };
      const rows = await read((em) => listAppointments(em, patient, { limit: LONGEST_LIST }));
      return answer(200, { items: rows.map(presentAppointment) });
    },
  });
}

async function pageByStart(
  em: EntityManager,
  tenantId: string,
  { limit, cursor, ...filter }: Omit<Query, 'updatedSince'>,
) {
  const after = readCursor(startCursor, cursor);
  const place = after && { startsAt: new Date(after[0]), id: after[1] };
  const rows = await listAppointments(em, { ...filter, tenantId }, { limit: limit + 1, after: place });
  return presentPage(rows, limit, ({ startsAt, id }) => startCursor.encode([startsAt.getTime(), id]));
}

/** The mark is taken before the rows are read, and the first page's holds for the later ones. */
async function pageByUpdate(
  em: EntityManager,
  tenantId: string,
  { limit, cursor, ...filter }: Query & { updatedSince: Date },
) {
  const [updatedAtMs, id, markMs] = readCursor(updateCursor, cursor) ?? [];
  const mark = markMs === undefined ? await findSyncMark(em) : new Date(markMs);
  const place = updatedAtMs !== undefined && id ? { updatedAt: new Date(updatedAtMs), id } : undefined;
  const rows = await listUpdatedAppointments(em, { ...filter, tenantId }, { limit: limit + 1, after: place });
  const page = presentPage(rows, limit, (row) =>
    updateCursor.encode([row.updatedAt.getTime(), row.id, mark.getTime()]),
  );
  return { ...page, syncedUntil: mark.toISOString() };
}

function readCursor<T>(kind: CursorKind<T>, text: string | undefined): T | undefined {
  const read = kind.parameter.optional().safeParse(text);
  if (!read.success) throw fieldError('query.cursor', 'must be a nextCursor of this list');
  return read.data;
}
