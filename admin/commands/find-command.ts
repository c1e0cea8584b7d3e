import { connectTemporal, readTemporalConfig } from '../../adapters/temporal/connect-temporal.ts';
import { findOwner, type Owned } from '../../db/clinic/find-owner.ts';
import { rowIdIn } from '../../domain/row-id.ts';
import { adminCommand } from '../admin-command.ts';
import { describeDelivery } from '../../commands/diagnosis/describe-delivery.ts';
import { AdminFailure } from '../failures.ts';
import { option, text } from '../options.ts';

/** The command that shows the details of what was found; things without such a command are listed with their clinic. */
const SHOWN_BY: Record<Owned['kind'], (found: Owned) => string> = {
  tenant: ({ id }) => `tenant show --tenant ${id}`,
  key: ({ tenantId }) => `key list --tenant ${tenantId}`,
  professional: ({ tenantId }) => `professional list --tenant ${tenantId}`,
  service: ({ tenantId }) => `service list --tenant ${tenantId}`,
  block: () => 'GET /v1/busy-blocks with a key of the clinic',
  appointment: ({ id }) => `appointment show --appointment ${id}`,
  hold: () => 'GET /v1/slot-holds/{id} with a key of the clinic',
  call: () => 'GET /v1/calls/{id} with a key of the clinic',
  recording: () => 'GET /v1/calls/{id}/recording with a key of the clinic',
  endpoint: ({ id }) => `delivery list --endpoint ${id}`,
  delivery: ({ id }) => `delivery show --delivery ${id}`,
  replay: () => 'the workflow replay:ID in the Temporal UI',
  notification: () => 'GET /v1/notifications with a key of the clinic',
  event: ({ id }) => `delivery list --event ${id}`,
  request: ({ id }) => `the page /support/requests/${id} of the dashboard`,
  person: ({ tenantId }) => `person list --tenant ${tenantId}`,
};

export const findCommand = adminCommand({
  words: 'find',
  summary:
    'Find what an ID belongs to and which command shows more. For a delivery, also explain why it has its status',
  argument: 'id',
  options: { id: option(text(200), 'id', 'ID ID ID ID ID ID of a row, an event or a workflow') },
  async run({ id: typed }, { database, environment }) {
    const id = rowIdIn(typed);
    const found = id === null ? null : await findOwner(database.em(), id);
    if (!found)
      throw new AdminFailure(
        `Nothing has the ID ${typed}. The request log keeps requests for 7 days; look for older ones in the logs of the API.`,
      );
    const shown = { ...found, more: SHOWN_BY[found.kind](found) };
    if (found.kind !== 'delivery') return shown;
    await using temporal = connectTemporal(readTemporalConfig(environment));
    return { ...shown, situation: await describeDelivery(database.em(), temporal, found.id) };
  },
});
