import { createService } from '../../commands/clinic/create-service.ts';
import { presentService } from '../../api/services/present.ts';
import { updateService, type UpdateService } from '../../commands/clinic/update-service.ts';
import { requireTenant } from '../../commands/clinic/require-tenant.ts';
import { listServices } from '../../db/clinic/list-services.ts';
import { adminCommand } from '../admin-command.ts';
import type { CommandDependencies } from '../command-dependencies.ts';
import { clearable, id, idOf, listOf, option, price, text, wholeNumber, yesOrNo } from '../options.ts';

const MINUTES_A_DAY = 1440;
const duration = wholeNumber(1, MINUTES_A_DAY);
const buffer = wholeNumber(0, MINUTES_A_DAY);

const create = adminCommand({
  words: 'service create',
  summary: 'Add a service that patients can book',
  options: {
    tenant: idOf('clinic'),
    name: option(text(200), 'name', 'what patients book'),
    duration: option(duration, 'minutes', 'how long the appointment is'),
    buffer: option(buffer.default(0), 'minutes', 'kept free afterwards, 0 unless told'),
    price: option(price.optional(), 'euro', 'such as 50.00'),
    description: option(text(5000).optional(), 'text', 'a few words for patients'),
    professionals: option(listOf(id).default([]), 'id,id', 'who offers it; everybody unless told'),
  },
  async run(options, { database, context }) {
    const input = {
      tenantId: options.tenant,
      name: options.name,
      description: options.description ?? null,
      durationMinutes: options.duration,
      bufferMinutes: options.buffer,
      priceEur: options.price ?? null,
      professionalIds: options.professionals,
    };
    return presentService(await database.write((em) => createService(em, input, context)));
  },
});

const list = adminCommand({
  words: 'service list',
  summary: 'The services of a clinic, by name, those that are no longer offered too',
  columns: ['id', 'name', 'durationMinutes', 'bufferMinutes', 'priceEur', 'active'],
  options: { tenant: idOf('clinic') },
  async run({ tenant }, { database }) {
    const em = database.em();
    await requireTenant(em, tenant);
    return { items: (await listServices(em, tenant)).map(presentService) };
  },
});

const update = adminCommand({
  words: 'service update',
  summary: "Change a service; appointments made keep their length; '' clears what may be empty",
  options: {
    service: idOf('service'),
    name: option(text(200).optional(), 'name', 'what patients book'),
    duration: option(duration.optional(), 'minutes', 'how long the appointment is'),
    buffer: option(buffer.optional(), 'minutes', 'kept free afterwards'),
    price: option(clearable(price).optional(), 'euro', 'such as 50.00'),
    description: option(clearable(text(5000)).optional(), 'text', 'a few words for patients'),
    professionals: option(listOf(id).optional(), 'id,id', "who offers it from now on; '' for everybody"),
    active: option(yesOrNo.optional(), 'true|false', 'whether it can be booked'),
  },
  run(
    { service, duration: durationMinutes, buffer: bufferMinutes, price: priceEur, professionals, ...rest },
    dependencies,
  ) {
    const fields = { ...rest, durationMinutes, bufferMinutes, priceEur };
    return save({ serviceId: service, professionalIds: professionals, fields }, dependencies);
  },
});

const deactivate = adminCommand({
  words: 'service deactivate',
  summary: 'No new bookings; those made stand and can be moved',
  options: { service: idOf('service') },
  run: ({ service }, dependencies) => save({ serviceId: service, fields: { active: false } }, dependencies),
});

export const serviceCommands = [create, list, update, deactivate];

async function save(input: UpdateService, { database, context }: CommandDependencies) {
  return presentService(await database.write((em) => updateService(em, input, context)));
}
