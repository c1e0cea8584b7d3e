import { z } from 'zod';
import { listPatientAccesses } from '../../commands/patient-reads/patient-accesses.ts';
import { instantOfId } from '../../domain/first-id.ts';
import { clinicPage, type PageRoute } from '../serving/page-request.ts';
import { readListPage, READS } from './read-list-page.ts';

const PAGE = 50;
const place = z.guid();

/** The page Settings → Access log, for the whole clinic or one appointment. */
export function readPages(): PageRoute[] {
  return [
    clinicPage('GET', READS, 'settings', async ({ tenantId, query, view, read }) => {
      const before = place.safeParse(query.get('cursor')).data;
      const appointmentId = place.safeParse(query.get('appointment')).data ?? null;
      // No entries exist before its creation.
      const ofOne = appointmentId && { subjectIds: [appointmentId], since: instantOfId(appointmentId) };
      return read(async (em) => {
        const found = await listPatientAccesses(em, { ...ofOne, tenantId, before, limit: PAGE + 1 });
        const seeings = found.slice(0, PAGE);
        const cursor = found.length > PAGE ? (seeings.at(-1)?.id ?? null) : null;
        return readListPage(view, seeings, { appointmentId, query, cursor });
      });
    }),
  ];
}
