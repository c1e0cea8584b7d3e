import { requireTenant } from '../../commands/clinic/lock-tenant.ts';
import { findApiKeyById } from '../../db/clinic/api-keys.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import {
  findChangedBy,
  findRequest,
  type ChangedByRequest,
  type RequestOfClinic,
} from '../../db/support/find-request.ts';
import { instantOfId } from '../../domain/first-id.ts';
import { notFound } from '../../domain/service-error.ts';
import { html, type Html, type Part } from '../../pages/html.ts';
import { facts, shortId, table } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { supportPage, type PageRoute } from '../serving/page-request.ts';
import { auditedView } from './audited-view.ts';
import { clinicLink, clinicView } from './clinic-times.ts';
import { DESK_WORDS } from './desk-words.ts';

export const REQUESTS = '/support/requests';

/** Whether anything is known about this request id. */
export async function isKnownRequest(em: EntityManager, id: string): Promise<boolean> {
  if ((await findRequest(em, id)) !== null) return true;
  return (await findChangedBy(em, id, instantOfId(id))).length > 0;
}

/** What an integration requested, the response, and what followed from it. */
export function supportRequestPages(): PageRoute[] {
  return [
    supportPage('GET', `${REQUESTS}/:id`, async (request) => {
      const { id } = request;
      const { asked, changed, clinic, keyName } = await request.read(async (em) => {
        const found = await findRequest(em, id);
        const changes = await findChangedBy(em, id, instantOfId(id));
        const tenantId = found?.tenantId ?? changes[0]?.tenantId;
        if (tenantId === undefined) throw notFound('request', id);
        const key = found && (await findApiKeyById(em, tenantId, found.keyId));
        return {
          asked: found,
          changed: changes,
          clinic: await requireTenant(em, tenantId),
          keyName: key ? key.name : null,
        };
      });
      await auditedView(request, 'request', { id, tenantId: clinic.id });
      const view = clinicView(request.view, clinic);
      const { request: words } = DESK_WORDS[view.language];
      const body = html`${factsOf(view, { id, asked, clinic, keyName })} ${changedPart(view, changed)}`;
      return { title: words.title, body };
    }),
  ];
}

interface Asked {
  id: string;
  /** The logged request; null when it is older than the log, or did not use the API. */
  asked: RequestOfClinic | null;
  clinic: TenantRow;
  keyName: string | null;
}

function factsOf(view: View, { id, asked, clinic, keyName }: Asked): Html {
  const { heads, request: words } = DESK_WORDS[view.language];
  const answered: [string, Part][] = asked
    ? [
        [words.asked, html`<code>${asked.method} ${asked.route}</code>`],
        [words.answer, html`${asked.status} ${asked.error !== null && html`<code>${asked.error}</code>`}`],
        [heads.key, keyName],
        [words.took, view.format.duration(asked.durationMs)],
      ]
    : [[words.asked, words.notLogged]];
  return facts([
    ['id', shortId(view, id)],
    [heads.happened, view.format.dateTime(instantOfId(id))],
    [heads.clinic, clinicLink(clinic)],
    ...answered,
  ]);
}

function changedPart({ language, format }: View, changed: readonly ChangedByRequest[]): Html {
  const { heads, request: words } = DESK_WORDS[language];
  return html`<h2>${words.changed}</h2>
    ${table({
      caption: words.changed,
      heads: [heads.appointment, words.change, heads.happened],
      rows: changed.map(({ appointmentId, kind, at }) => ({
        cells: [
          html`<a href="/support/appointments/${appointmentId}"><code>${appointmentId}</code></a>`,
          html`<code>${kind}</code>`,
          format.dateTime(at),
        ],
      })),
      empty: words.nothing,
    })}`;
}
