import { SessionEntity } from '../../../db/entities/people/session.entity.ts';
import type { TestDashboard } from '../../support/pages/dashboard-server.ts';
import type { FormAt, FormRow } from './form-rows.ts';

/** One more session of someone, as a page lists it. */
async function anotherSession(
  dashboard: TestDashboard,
  { of, page }: { of: 'ana' | 'rita'; page: string },
): Promise<FormAt> {
  await dashboard.person(of);
  const [{ id } = { id: '' }] = await dashboard.database
    .em()
    .find(SessionEntity, {}, { orderBy: { createdAt: 'desc' }, limit: 1 });
  return { page, action: `${page}/${id}/end` };
}

export const SESSION_FORMS: Record<string, FormRow> = {
  '/sessions/:id/end': {
    by: 'ana',
    begin: (dashboard) => anotherSession(dashboard, { of: 'ana', page: '/sessions' }),
  },
  '/settings/sessions/:id/end': {
    by: 'ana',
    begin: (dashboard) => anotherSession(dashboard, { of: 'rita', page: '/settings/sessions' }),
  },
};
