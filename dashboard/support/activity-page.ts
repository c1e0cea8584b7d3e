import { z } from 'zod';
import { requireTenant } from '../../commands/clinic/lock-tenant.ts';
import { html } from '../../pages/html.ts';
import { findNamedEvents } from '../audit/audit-events.ts';
import { auditTable, nextEvents, PAGE } from '../audit/audit-pages.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import { supportPage, type PageRoute } from '../serving/page-request.ts';
import { auditedView } from './audited-view.ts';
import { CLINICS } from './clinic-list-page.ts';
import { clinicLink, clinicView } from './clinic-times.ts';

const cursorField = z.guid().optional().catch(undefined);

/** A clinic's activity log, as its owner sees it. */
export function activityPages(): PageRoute[] {
  return [
    supportPage('GET', `${CLINICS}/:id/activity`, async (request) => {
      const { id, query, read } = request;
      const clinic = await read((em) => requireTenant(em, id));
      await auditedView(request, 'tenant', { id: clinic.id, tenantId: clinic.id });
      const before = cursorField.parse(query.get('cursor') ?? undefined);
      const found = await read((em) => findNamedEvents(em, clinic.id, { before, limit: PAGE + 1 }));
      const view = clinicView(request.view, clinic);
      return {
        title: FRAME_WORDS[view.language].sections.audit,
        body: html`<p>${clinicLink(clinic)}</p>
          ${auditTable(view, found.slice(0, PAGE))} ${nextEvents(view, query, found)}`,
      };
    }),
  ];
}
