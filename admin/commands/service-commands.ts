import {
  createService,
  updateService,
  type UpdateService,
} from '../../commands/clinic/services/save-service.ts';
import { presentService } from '../../api/services/present.ts';
import { listServices } from '../../db/clinic/services.ts';
import { clinicOf } from '../../db/clinic/find-owner.ts';
import { MINUTES_A_DAY, serviceRules } from '../../domain/clinic/service-rules.schema.ts';
import { adminCommand, listOfClinic, type CommandDependencies } from '../admin-command.ts';
import { clearable, id, idOf, listOf, option, wholeNumber, written, yesOrNo } from '../options.ts';

const duration = wholeNumber(1, MINUTES_A_DAY);
const buffer = wholeNumber(0, MINUTES_A_DAY);

const create = adminCommand({
  words: 'service create',
  summary: 'Add a service that patients can book',
  options: {
    tenant: idOf('clinic'),
    name: option(written(serviceRules.name), 'name', 'name of the service'),
    duration: option(duration, 'minutes', 'duration of an appointment'),
    buffer: option(buffer.default(0), 'minutes', 'minutes kept free after an appointment, by default 0'),
    price: option(serviceRules.priceEur.optional(), 'euro', 'for example 50.00'),
    description: option(written(serviceRules.description).optional(), 'text', 'text for patients'),
    professionals: option(
      listOf(id).default([]),
      'id,id',
      'professionals who offer the service, by default all of them',
    ),
  },
  async run({ tenant: tenantId, professionals: professionalIds, ...said }, { database, context }) {
    const { duration: durationMinutes, buffer: bufferMinutes, price: priceEur, ...rest } = said;
    const fields = { ...rest, durationMinutes, bufferMinutes, priceEur };
    const input = { tenantId, fields, professionalIds };
    return presentService(await database.write((em) => createService(em, input, context)));
  },
});

const list = listOfClinic(
  {
    words: 'service list',
    summary: 'List the services of a clinic by name, including inactive ones',
    columns: ['id', 'name', 'durationMinutes', 'bufferMinutes', 'priceEur', 'active'],
  },
  async (em, tenantId) => (await listServices(em, tenantId, { withInactive: true })).map(presentService),
);

const update = adminCommand({
  words: 'service update',
  summary: "Change a service. Existing appointments keep their length. Use '' to clear an optional field",
  options: {
    service: idOf('service'),
    name: option(written(serviceRules.name).optional(), 'name', 'name of the service'),
    duration: option(duration.optional(), 'minutes', 'duration of an appointment'),
    buffer: option(buffer.optional(), 'minutes', 'minutes kept free after an appointment'),
    price: option(clearable(serviceRules.priceEur).optional(), 'euro', 'for example 50.00'),
    description: option(clearable(written(serviceRules.description)).optional(), 'text', 'text for patients'),
    professionals: option(
      listOf(id).optional(),
      'id,id',
      "professionals who offer the service; '' for all professionals",
    ),
    active: option(yesOrNo.optional(), 'true|false', 'whether the service can be booked'),
  },
  run({ service: serviceId, professionals: professionalIds, ...said }, dependencies) {
    const { duration: durationMinutes, buffer: bufferMinutes, price: priceEur, ...rest } = said;
    const fields = { ...rest, durationMinutes, bufferMinutes, priceEur };
    return save({ serviceId, professionalIds, fields }, dependencies);
  },
});

const deactivate = adminCommand({
  words: 'service deactivate',
  summary: 'Take no new bookings. Existing appointments are kept and can be rescheduled',
  options: { service: idOf('service') },
  run: ({ service }, dependencies) => save({ serviceId: service, fields: { active: false } }, dependencies),
});

export const serviceCommands = [create, list, update, deactivate];

async function save(change: Omit<UpdateService, 'tenantId'>, { database, context }: CommandDependencies) {
  const saved = await database.write(async (em) => {
    const tenantId = await clinicOf(em, 'service', change.serviceId);
    return updateService(em, { ...change, tenantId }, context);
  });
  return presentService(saved);
}
