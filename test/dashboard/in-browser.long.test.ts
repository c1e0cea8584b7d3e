import { expect, test } from '@jest/globals';
import { allPages } from '../../dashboard/app.ts';
import { createApiKey } from '../../commands/clinic/create-api-key.ts';
import { saveBusyBlock } from '../../commands/clinic/save-busy-block.ts';
import { ApiKeyEntity } from '../../db/entities/api-key.entity.ts';
import { isForRole, type Role } from '../../domain/people/roles.ts';
import { openBrowser } from '../support/pages/browser.ts';
import { anEndpoint, asOperator, book, inHours } from '../support/clinic.ts';
import { startTestDashboard } from '../support/pages/dashboard-server.ts';
import { problemsOf, severalMainButtons } from '../support/pages/page-check.ts';
import { anEventUsedUp } from '../webhooks/recorded-attempts.ts';
import { signedIn } from './sessions/signed-in.ts';
import { forSuite } from '../support/for-suite.ts';

const [dashboard, browser] = await Promise.all([forSuite(startTestDashboard()), forSuite(openBrowser())]);
const { database, clinic } = dashboard;
const { tenantId } = clinic;
const endpointId = await anEndpoint(database, tenantId);
const key = {
  tenantId,
  name: 'Novigest',
  scopes: ['tenant:read' as const],
  expiresAt: null,
  mode: 'test' as const,
};
await database.write((em) => createApiKey(em, key, asOperator()));
const { id: keyId } = await database.em().findOneOrFail(ApiKeyEntity, { tenantId });
const appointment = await book(database, clinic, { startsAt: inHours(26) });
const delivery = await anEventUsedUp(database, { tenantId, endpointId });
const block = {
  tenantId,
  externalId: 'leave',
  professionalId: null,
  title: null,
  startsAt: inHours(25),
  endsAt: inHours(30),
};
const { block: leave } = await database.write((em) => saveBusyBlock(em, block, asOperator()));
/** Something to show at each address with an id. */
const ids: Record<string, string> = {
  '/blocks/:id': leave.id,
  '/appointments/:id': appointment.id,
  '/support/appointments/:id': appointment.id,
  '/integrations/keys/:id': keyId,
  '/integrations/endpoints/:id': endpointId,
  '/integrations/deliveries/:id': delivery.id,
  '/support/deliveries/:id': delivery.id,
  '/settings/professionals/:id': clinic.professionalIds[0] ?? '',
  '/settings/services/:id': clinic.serviceTypeId,
};

/** Files, which a browser saves instead of showing them. */
const FILE = /\/(csv|export)$/;

/** Of a page with an id the beginning, up to it. */
function addressOf(path: string): string | null {
  if (FILE.test(path)) return null;
  const beginning = path.replace(/(:\w+).*$/, '$1');
  if (!path.includes(':')) return path;
  const id = ids[beginning];
  return id === undefined ? null : path.replace(/:\w+/, id);
}

test.each(['en-GB', 'pt-PT'])(
  'every page has one main button at most, is accessible in light and dark, fits every width, and asks no one else, in %s',
  async (locale) => {
    const owner = await signedIn(dashboard, 'ana');
    const support = await signedIn(dashboard, 'sofia');
    const found: string[] = [];
    let seen = 0;
    for (const { method, path, may } of allPages(dashboard.dependencies)) {
      const address = method === 'GET' ? addressOf(path) : null;
      if (address === null) continue;
      const role: Role = may === 'support' ? 'support' : 'owner';
      expect([path, isForRole(role, may)]).toEqual([path, true]);
      const options = { ...(role === 'support' ? support : owner), locale };
      const url = `${dashboard.url}${address}`;
      const problems = await problemsOf(browser, url, options, severalMainButtons);
      found.push(...problems.map((problem) => `${path}: ${problem}`));
      seen += 1;
    }
    expect(seen).toBeGreaterThan(15);
    expect(found).toEqual([]);
  },
  900_000,
);
