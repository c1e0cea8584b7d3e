import { requireTenant } from '../../commands/clinic/lock-tenant.ts';
import { recordAudit } from '../../commands/command-context.ts';
import { erasePatient } from '../../commands/patients/erase-patient.ts';
import { exportPatient } from '../../commands/patients/export-patient.ts';
import { rehashNamesOf } from '../../commands/patients/rehash-names.ts';
import { rehashPhonesOf } from '../../commands/patients/rehash-phones.ts';
import { findSubjectsOfPatient } from '../../commands/patient-reads/subjects-of-patient.ts';
import { dropRemoval } from '../../db/calls/recordings.ts';
import type { Patient } from '../../db/patients/appointments-of-patient.ts';
import { shownPhoneHash } from '../../domain/patients/shown-phone-hash.ts';
import { adminCommand, type CommandDependencies } from '../admin-command.ts';
import { presentVisit, presentWholeCall } from '../clinic-data.ts';
import { AdminFailure, UsageError } from '../failures.ts';
import { directory, idOf, option, phone, text } from '../options.ts';
import { presentPatientAccesses } from '../patient-accesses.ts';
import { openRecordingDirectory, openStorage } from '../recording-files.ts';
import { readServiceKeys } from '../service-keys.ts';

const WHOSE = {
  tenant: idOf('clinic'),
  phone: option(
    phone.optional(),
    '+351…',
    "the patient's phone in E.164 format; selects every patient with this phone, unless you also give --name",
  ),
  name: option(
    text(200).optional(),
    'name',
    'selects only the patient with this name among those with this phone',
  ),
  externalId: option(text(128).optional(), 'id', "the patient's external ID, instead of --phone"),
};

type Whose = { [Name in 'phone' | 'name' | 'externalId']?: string | undefined };

function checkWhose({ phone: e164, name, externalId }: Whose): void {
  if ((e164 === undefined) === (externalId === undefined)) {
    throw new UsageError('specify either --phone or --external-id, not both.');
  }
  if (name !== undefined && e164 === undefined) throw new UsageError('Use --name only with --phone.');
}

const exportCommand = adminCommand({
  words: 'patient export',
  summary: 'Export everything stored about a patient',
  options: {
    ...WHOSE,
    recordings: option(directory.optional(), 'directory', 'directory for the call recordings'),
  },
  check: checkWhose,
  async run({ tenant, recordings, ...whose }, { database, environment, context }) {
    const em = database.em();
    await requireTenant(em, tenant);
    const { numbers, patient, storedHashes } = await readPatient({ database, environment }, tenant, whose);
    const found = await exportPatient(em, patient, storedHashes);
    requireSome(Object.values(found).map(({ length }) => length));
    if (recordings !== undefined) {
      using directory = await openRecordingDirectory(recordings, environment, database);
      for (const { recording } of found.calls) await directory.save(recording);
    }
    await recordAudit(em, { action: 'patient.exported', tenantId: tenant, subjectId: null }, context);
    return {
      patientPhoneHash:
        'patientPhoneHashes' in patient ? shownPhoneHash(patient.patientPhoneHashes[0] ?? '') : null,
      patientExternalId: 'externalId' in patient ? patient.externalId : null,
      appointments: found.appointments.map(presentVisit),
      calls: found.calls.map((call) => presentWholeCall(call, numbers)),
      recalls: found.recalls,
      events: found.events,
      seenBy: await presentPatientAccesses(em, tenant, {
        subjectIds: await findSubjectsOfPatient(em, patient),
      }),
    };
  },
});

const erase = adminCommand({
  words: 'patient erase',
  summary: 'Erase the data of a patient except times, statuses and counts. Cannot be undone',
  options: WHOSE,
  check: checkWhose,
  async run({ tenant, ...whose }, { database, environment, context }) {
    await requireTenant(database.em(), tenant);
    const { patient, storedHashes } = await readPatient({ database, environment }, tenant, whose);
    using storage = await openStorage(environment);
    const { erased, recordings } = await erasePatient({ database, context, storedHashes }, patient);
    requireSome(Object.values(erased));
    const audited = { tenantId: tenant, subjectId: null, details: { ...erased } };
    await recordAudit(database.em(), { action: 'patient.erased', ...audited }, context);
    // A failed deletion stays planned and is repeated.
    for (const recording of recordings) {
      await storage.remove(recording);
      await dropRemoval(database.em(), recording);
    }
    return erased;
  },
});

export const patientCommands = [exportCommand, erase];

/** @throws AdminFailure when nothing was found, so that a typing mistake is noticed */
function requireSome(counts: readonly number[]): void {
  if (counts.some((count) => count > 0)) return;
  throw new AdminFailure(
    'Nothing is stored about this patient in this clinic. Check --phone, --name or --external-id.',
  );
}

/** The keys, and the patient in searchable form. */
async function readPatient(
  { database, environment }: Pick<CommandDependencies, 'database' | 'environment'>,
  tenantId: string,
  { phone: e164, name, externalId = '' }: Whose,
) {
  const { phoneHash, numbers } = await readServiceKeys(environment, database, tenantId);
  await rehashPhonesOf(database, phoneHash, tenantId);
  await rehashNamesOf(database, tenantId);
  const patient: Patient = e164
    ? { tenantId, patientPhoneHashes: phoneHash.every({ tenantId, e164 }), name: name ?? null }
    : { tenantId, externalId };
  const storedHashes = (shown: string) => phoneHash.maybeOf(tenantId, shown);
  return { numbers, patient, storedHashes };
}
