import { dashboardUrlConfig } from '../../adapters/config/dashboard-config.ts';
import { readConfig } from '../../adapters/config/read-config.ts';
import { createPortalLink } from '../../commands/people/create-portal-link.ts';
import { adminCommand } from '../admin-command.ts';
import { idOf } from '../options.ts';

const link = adminCommand({
  words: 'portal link',
  summary: 'A link to the webhook pages of a clinic: good once, for ten minutes',
  options: { tenant: idOf('clinic') },
  async run({ tenant: tenantId }, { database, context, environment }) {
    const { dashboardUrl } = readConfig({ dashboardUrl: dashboardUrlConfig }, environment);
    const { url, expiresAt } = await database.write((em) =>
      createPortalLink(em, { tenantId, dashboardUrl }, context),
    );
    return { url, expiresAt: expiresAt.toISOString() };
  },
});

export const portalCommands = [link];
