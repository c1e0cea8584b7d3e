import { dashboardUrlConfig } from '../../adapters/config/addresses-config.ts';
import { readConfig } from '../../adapters/config/read-config.ts';
import { createPortalLink } from '../../commands/people/portal-links.ts';
import { listLiveSessions } from '../../db/people/sessions.ts';
import { adminCommand, listOfClinic } from '../admin-command.ts';
import { idOf } from '../options.ts';
import { presentSession } from './person-commands.ts';

const link = adminCommand({
  words: 'portal link',
  summary:
    'Create a link to the webhook pages of a clinic. The link works only once and expires after ten minutes',
  options: { tenant: idOf('clinic') },
  async run({ tenant: tenantId }, { database, context, environment }) {
    const { dashboardUrl } = readConfig({ dashboardUrl: dashboardUrlConfig }, environment);
    const { url, expiresAt } = await database.write((em) =>
      createPortalLink(em, { tenantId, dashboardUrl }, context),
    );
    return { url, expiresAt: expiresAt.toISOString() };
  },
});

const list = listOfClinic(
  {
    words: 'portal list',
    summary: 'List the portal sessions of a clinic',
    columns: ['id', 'browser', 'system', 'lastAddress', 'lastUsedAt', 'endsAt'],
  },
  async (em, tenantId, now) => {
    const sessions = await listLiveSessions(em, { tenantId }, { now, limit: null });
    return sessions.filter(({ role }) => role === 'portal').map(presentSession);
  },
);

export const portalCommands = [link, list];
