import { readPhoneNumber } from '../../adapters/phones/read-phone-number.ts';
import { requireTenant } from '../../commands/clinic/lock-tenant.ts';
import { erasePatient } from '../../commands/patients/erase-patient.ts';
import { exportPatient } from '../../commands/patients/export-patient.ts';
import { requireNamedPatient } from '../../commands/patients/named-patient.ts';
import { dropRemoval } from '../../db/calls/recordings.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { presentPatientExport } from '../../api/patients/present.ts';
import { adminCommand } from '../admin-command.ts';
import { UsageError } from '../failures.ts';
import { idOf, localPath, option, text } from '../options.ts';
import { openRecordingDirectory, openStorage } from '../recording-files.ts';
import { readPhoneHash, readServiceKeys } from '../service-keys.ts';

const WHOSE = {
  tenant: idOf('clinic'),
  phone: option(
    text(40).optional(),
    '+351…',
    "the patient's phone; selects every patient with this phone, unless you also give --name",
  ),
  name: option(
    text(200).optional(),
    'name',
    'selects only the patient with this name among those with this phone',
  ),
  externalId: option(text(128).optional(), 'id', "the patient's external ID, instead of --phone"),
};

type Whose = { [Name in 'phone' | 'name' | 'externalId']?: string | undefined };

function checkWhose({ phone, name, externalId }: Whose): void {
  if ((phone === undefined) === (externalId === undefined)) {
    throw new UsageError('specify either --phone or --external-id, not both.');
  }
  if (name !== undefined && phone === undefined) throw new UsageError('Use --name only with --phone.');
}

const exportCommand = adminCommand({
  words: 'patient export',
  summary: 'Export everything stored about a patient',
  options: {
    ...WHOSE,
    recordings: option(localPath.optional(), 'directory', 'directory for the call recordings'),
  },
  check: checkWhose,
  async run({ tenant: tenantId, recordings, ...whose }, { database, environment, context }) {
    const clinic = await requireTenant(database.em(), tenantId);
    const { phoneHash, numbers } = await readServiceKeys(environment, database, tenantId);
    const patient = await requireNamedPatient(database, phoneHash, namedIn(clinic, whose));
    const found = await exportPatient({ database, context }, patient);
    if (recordings !== undefined) {
      using directory = await openRecordingDirectory(recordings, environment, database);
      for (const { recording } of found.calls) await directory.save(recording);
    }
    return presentPatientExport(found, tenantId, numbers);
  },
});

const erase = adminCommand({
  words: 'patient erase',
  summary: 'Erase the data of a patient except times, statuses and counts. Cannot be undone',
  options: WHOSE,
  check: checkWhose,
  async run({ tenant: tenantId, ...whose }, { database, environment, context }) {
    const clinic = await requireTenant(database.em(), tenantId);
    const phoneHash = readPhoneHash(environment);
    using storage = await openStorage(environment);
    const patient = await requireNamedPatient(database, phoneHash, namedIn(clinic, whose));
    const { erased, kept, recordings } = await erasePatient({ database, context }, patient);
    // A failed deletion stays planned and is repeated.
    for (const recording of recordings) {
      await storage.remove(recording);
      await dropRemoval(database.em(), recording);
    }
    return { ...erased, kept };
  },
});

export const patientCommands = [exportCommand, erase];

/** With the phone as people in the clinic's country write it. @throws UsageError when it is no phone number */
function namedIn({ id: tenantId, country }: TenantRow, { phone, ...whose }: Whose) {
  if (phone === undefined) return { tenantId, ...whose };
  const e164 = readPhoneNumber(phone, country);
  if (e164 === null) throw new UsageError('--phone must be a phone number, for example +351912345678.');
  return { tenantId, ...whose, phone: e164 };
}
