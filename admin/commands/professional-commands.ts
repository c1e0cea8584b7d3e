import {
  createProfessional,
  updateProfessional,
  type UpdateProfessional,
} from '../../commands/clinic/professionals/save-professional.ts';
import { presentProfessional } from '../../api/professionals/present.ts';
import { listProfessionals } from '../../db/clinic/professionals.ts';
import { professionalRules } from '../../domain/clinic/professional-rules.schema.ts';
import { clinicOf } from '../../db/clinic/find-owner.ts';
import { adminCommand, listOfClinic, type CommandDependencies } from '../admin-command.ts';
import { clearable, idOf, option, written, yesOrNo } from '../options.ts';

const create = adminCommand({
  words: 'professional create',
  summary: 'Add a professional to a clinic',
  options: {
    tenant: idOf('clinic'),
    name: option(written(professionalRules.name), 'name', 'full name'),
    specialty: option(written(professionalRules.specialty), 'specialty', 'specialty'),
    title: option(written(professionalRules.title).optional(), 'title', 'for example Dr.'),
    email: option(professionalRules.email.optional(), 'address', 'email address'),
    bio: option(written(professionalRules.bio).optional(), 'text', 'text for patients'),
    photoUrl: option(professionalRules.photoUrl.optional(), 'url', 'portrait'),
  },
  async run({ tenant: tenantId, ...fields }, { database, context }) {
    const input = { tenantId, fields };
    return presentProfessional(await database.write((em) => createProfessional(em, input, context)));
  },
});

const list = listOfClinic(
  {
    words: 'professional list',
    summary: 'List the professionals of a clinic by name, including inactive ones',
    columns: ['id', 'name', 'title', 'specialty', 'active'],
  },
  async (em, tenantId) =>
    (await listProfessionals(em, tenantId, { withInactive: true })).map(presentProfessional),
);

const update = adminCommand({
  words: 'professional update',
  summary: "Change a professional. Use '' to clear an optional field",
  options: {
    professional: idOf('professional'),
    name: option(written(professionalRules.name).optional(), 'name', 'full name'),
    specialty: option(written(professionalRules.specialty).optional(), 'specialty', 'specialty'),
    title: option(clearable(written(professionalRules.title)).optional(), 'title', 'for example Dr.'),
    email: option(clearable(professionalRules.email).optional(), 'address', 'email address'),
    bio: option(clearable(written(professionalRules.bio)).optional(), 'text', 'text for patients'),
    photoUrl: option(clearable(professionalRules.photoUrl).optional(), 'url', 'portrait'),
    active: option(yesOrNo.optional(), 'true|false', 'whether the professional takes new bookings'),
  },
  run: ({ professional, ...fields }, dependencies) =>
    save({ professionalId: professional, fields }, dependencies),
});

const deactivate = adminCommand({
  words: 'professional deactivate',
  summary: 'Take no new bookings. Existing appointments are kept',
  options: { professional: idOf('professional') },
  run: ({ professional }, dependencies) =>
    save({ professionalId: professional, fields: { active: false } }, dependencies),
});

export const professionalCommands = [create, list, update, deactivate];

async function save(
  change: Omit<UpdateProfessional, 'tenantId'>,
  { database, context }: CommandDependencies,
) {
  const professional = await database.write(async (em) => {
    const tenantId = await clinicOf(em, 'professional', change.professionalId);
    return updateProfessional(em, { ...change, tenantId }, context);
  });
  return presentProfessional(professional);
}
