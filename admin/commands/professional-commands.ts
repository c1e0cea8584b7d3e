import { createProfessional } from '../../commands/clinic/create-professional.ts';
import { presentProfessional } from '../../api/professionals/present.ts';
import { updateProfessional, type UpdateProfessional } from '../../commands/clinic/update-professional.ts';
import { requireTenant } from '../../commands/clinic/require-tenant.ts';
import { listProfessionals } from '../../db/clinic/list-professionals.ts';
import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import { adminCommand } from '../admin-command.ts';
import type { CommandDependencies } from '../command-dependencies.ts';
import { clearable, email, idOf, option, text, url, yesOrNo } from '../options.ts';

const create = adminCommand({
  words: 'professional create',
  summary: 'Add a professional to a clinic',
  options: {
    tenant: idOf('clinic'),
    name: option(text(200), 'name', 'full name'),
    specialty: option(text(200), 'specialty', 'what they practise, in their own words'),
    title: option(text(50).optional(), 'title', 'such as Dr.'),
    email: option(email.optional(), 'address', 'e-mail address'),
    bio: option(text(5000).optional(), 'text', 'a few words for patients'),
    photoUrl: option(url.optional(), 'url', 'portrait'),
  },
  async run({ tenant, name, specialty, ...details }, { database, context }) {
    const { title = null, email: address = null, bio = null, photoUrl = null } = details;
    const input = { tenantId: tenant, name, specialty, title, email: address, bio, photoUrl, metadata: {} };
    return present(await database.write((em) => createProfessional(em, input, context)));
  },
});

const list = adminCommand({
  words: 'professional list',
  summary: 'The professionals of a clinic, by name, those who have left too',
  columns: ['id', 'name', 'title', 'specialty', 'active'],
  options: { tenant: idOf('clinic') },
  async run({ tenant }, { database }) {
    const em = database.em();
    await requireTenant(em, tenant);
    return { items: (await listProfessionals(em, tenant, { withInactive: true })).map(present) };
  },
});

const update = adminCommand({
  words: 'professional update',
  summary: "Change a professional; '' clears what may be empty",
  options: {
    professional: idOf('professional'),
    name: option(text(200).optional(), 'name', 'full name'),
    specialty: option(text(200).optional(), 'specialty', 'what they practise'),
    title: option(clearable(text(50)).optional(), 'title', 'such as Dr.'),
    email: option(clearable(email).optional(), 'address', 'e-mail address'),
    bio: option(clearable(text(5000)).optional(), 'text', 'a few words for patients'),
    photoUrl: option(clearable(url).optional(), 'url', 'portrait'),
    active: option(yesOrNo.optional(), 'true|false', 'whether they take new bookings'),
  },
  run: ({ professional, ...fields }, dependencies) =>
    save({ professionalId: professional, fields }, dependencies),
});

const deactivate = adminCommand({
  words: 'professional deactivate',
  summary: 'No new bookings; those made stand',
  options: { professional: idOf('professional') },
  run: ({ professional }, dependencies) =>
    save({ professionalId: professional, fields: { active: false } }, dependencies),
});

export const professionalCommands = [create, list, update, deactivate];

async function save(input: UpdateProfessional, { database, context }: CommandDependencies) {
  return present(await database.write((em) => updateProfessional(em, input, context)));
}

/** The operator also sees who has left. */
function present(row: ProfessionalRow) {
  return { ...presentProfessional(row), active: row.active };
}
