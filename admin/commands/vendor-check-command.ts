import { modeConfig } from '../../adapters/config/service-config.ts';
import { readConfig } from '../../adapters/config/read-config.ts';
import { requireTenant } from '../../commands/clinic/lock-tenant.ts';
import { ScriptedDay, type Finding } from '../../commands/vendor-check/scripted-day.ts';
import { ProfessionalEntity } from '../../db/entities/professional.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { listEndpoints } from '../../db/webhooks/endpoints/list-endpoints.ts';
import { receivesEvents } from '../../domain/webhooks/endpoint-status.ts';
import { patternsMatching } from '../../domain/webhooks/subscription.ts';
import { adminCommand } from '../admin-command.ts';
import { AdminFailure } from '../failures.ts';
import { id, idOf, option, wholeNumber } from '../options.ts';
import { readSealing } from '../service-keys.ts';

/** docs/two-way-sync.md#test-a-release */
export const vendorCheckCommand = adminCommand({
  words: 'vendor-check',
  summary: 'Play a day in a sandbox clinic and say what its running connector does right and wrong',
  options: {
    tenant: idOf('clinic'),
    endpoint: option(id.optional(), 'id', 'id of the endpoint, if the clinic has several for appointments'),
    withinSeconds: option(
      wholeNumber(1, 3600).default(60),
      'seconds',
      'how long the connector may take to acknowledge, by default 60',
    ),
  },
  columns: ['step', 'result', 'finding'],
  async run({ tenant: tenantId, endpoint, withinSeconds }, { database, environment, context, tell }) {
    const { mode } = readConfig({ mode: modeConfig }, environment);
    if (mode !== 'test') throw new AdminFailure('A check books appointments: run it in a sandbox.');
    readSealing(environment);
    const em = database.em();
    await requireTenant(em, tenantId);
    const endpointId = await findEndpoint(em, tenantId, endpoint);
    const professional = await em.findOne(ProfessionalEntity, { tenantId, active: true });
    if (!professional) throw new AdminFailure('The clinic has no professional to book with.');
    const { actor } = context;
    const day = new ScriptedDay({
      database,
      tenantId,
      endpointId,
      professionalId: professional.id,
      withinSeconds,
      actor,
    });
    const items: Finding[] = [];
    for await (const finding of day.play()) {
      tell(`${finding.result}: ${finding.step}. ${finding.finding}`);
      items.push(finding);
    }
    return { items };
  },
  succeeded: ({ items }) => items.every(({ result }) => result === 'right'),
});

/** The one that is named, or the only one that gets the events of appointments. */
async function findEndpoint(
  em: EntityManager,
  tenantId: string,
  wanted: string | undefined,
): Promise<string> {
  const patterns = patternsMatching('appointment.created');
  const found = (await listEndpoints(em, tenantId)).filter(
    (row) =>
      receivesEvents(row.status) &&
      (wanted === undefined ? row.events.some((pattern) => patterns.includes(pattern)) : row.id === wanted),
  );
  if (found.length > 1)
    throw new AdminFailure('The clinic has several such endpoints: name one with --endpoint.');
  const [endpoint] = found;
  if (!endpoint) throw new AdminFailure('The clinic has no such endpoint that is enabled.');
  return endpoint.id;
}
