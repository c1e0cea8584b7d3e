import { saveBusyBlock } from '../../../commands/clinic/save-busy-block.ts';
import { bookWithEmail } from '../../self-service/patient-mailing.ts';
import { asOperator, inHours } from '../../support/clinic.ts';
import type { TestDashboard } from '../../support/pages/dashboard-server.ts';
import type { FormRow } from './form-rows.ts';

let blocks = 0;
const externalIdOf = (nr: number) => `block ${nr}`;

function save({ database, clinic: { tenantId } }: TestDashboard, nr: number, title: string) {
  const [startsAt, endsAt] = [inHours(24 * 90 + nr), inHours(24 * 90 + nr + 1)];
  const wanted = { tenantId, professionalId: null, startsAt, endsAt, title, externalId: externalIdOf(nr) };
  return database.write((em) => saveBusyBlock(em, wanted, asOperator()));
}

export const BLOCK_FORMS: Record<string, FormRow> = {
  '/blocks/new': {
    by: 'rita',
    begin: async () => ({ page: '/blocks/new', action: '/blocks/new' }),
    isAskedAgain: true,
    async fill(page, nr) {
      await page.locator('input[name="whose"]').first().check();
      const date = new Date(Date.UTC(2031, 0, nr));
      await page.locator('input[name="day"]').fill(date.toISOString().slice(0, 10));
    },
  },
  '/blocks/:id/remove': {
    by: 'rita',
    async begin(dashboard) {
      blocks += 1;
      const { block } = await save(dashboard, blocks, 'Meeting');
      return { page: `/blocks/${block.id}`, action: `/blocks/${block.id}/remove` };
    },
    // The last one that was made.
    theirs: (dashboard) => save(dashboard, blocks, 'Training'),
  },
  '/blocks/:id/ask': {
    by: 'rita',
    async begin(dashboard) {
      blocks += 1;
      const { block } = await save(dashboard, blocks, 'Ill');
      const email = `patient-${blocks}@mail.example`;
      const visit = { startsAt: block.startsAt, respectHours: false, email };
      await bookWithEmail(dashboard.database, dashboard.clinic, visit);
      return { page: `/blocks/${block.id}`, action: `/blocks/${block.id}/ask` };
    },
    theirs: (dashboard) => save(dashboard, blocks, 'Training'),
  },
};
