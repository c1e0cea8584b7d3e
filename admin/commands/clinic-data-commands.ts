import { presentTenant } from '../../api/tenant/present.ts';
import { eraseClinic } from '../../commands/clinic/erase-clinic.ts';
import { requireTenant } from '../../commands/clinic/lock-tenant.ts';
import { recordAudit } from '../../commands/command-context.ts';
import { dropRemoval, takeDueRemovals } from '../../db/calls/recordings.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { RecordingStorage } from '../../adapters/recordings/recording-storage.ts';
import { adminCommand } from '../admin-command.ts';
import { presentClinicData } from '../clinic-data.ts';
import { AdminFailure } from '../failures.ts';
import { idOf, localPath, option, text } from '../options.ts';
import { openRecordingDirectory, openStorage } from '../recording-files.ts';
import { readServiceKeys } from '../service-keys.ts';
import { streamedDocument } from '../streamed-document.ts';

const exportCommand = adminCommand({
  words: 'tenant export',
  summary: 'Export everything stored about a clinic',
  options: {
    tenant: idOf('clinic'),
    recordings: option(localPath.optional(), 'directory', 'directory for the call recordings'),
  },
  async run({ tenant, recordings }, { database, environment, context }) {
    const clinic = await requireTenant(database.em(), tenant);
    const { numbers } = await readServiceKeys(environment, database, tenant);
    const directory =
      recordings === undefined ? null : await openRecordingDirectory(recordings, environment, database);
    const audited = { action: 'tenant.exported', tenantId: tenant, subjectId: tenant } as const;
    await recordAudit(database.em(), audited, context);
    const data = await presentClinicData(database, tenant, { now: context.now, numbers, directory });
    return streamedDocument({ clinic: presentTenant(clinic), ...data });
  },
});

const erase = adminCommand({
  words: 'tenant erase',
  summary: 'Erase the data of a cancelled clinic except IDs, times, statuses and counts. Cannot be undone',
  options: {
    tenant: idOf('clinic'),
    confirm: option(text(200), 'name|id', "the clinic's name or ID, to confirm"),
  },
  async run({ tenant, confirm }, { database, environment, context, tell }) {
    const { name, status } = await requireTenant(database.em(), tenant);
    if (confirm !== name && confirm !== tenant) {
      throw new AdminFailure(
        `--confirm must be the name or the ID of the clinic ${tenant}. Nothing was erased.`,
      );
    }
    if (status !== 'canceled') {
      throw new AdminFailure(
        `The clinic ${tenant} is ${status}. Only a canceled clinic can be erased. First run: ` +
          `tenant update --tenant ${tenant} --status canceled`,
      );
    }
    using storage = await openStorage(environment);
    const onErased = (part: string, found: number) => tell(`${part}: ${found}`);
    const erased = await eraseClinic({ database, context, onErased }, tenant);
    await removeRecordings(() => database.em(), storage, tenant);
    return erased;
  },
});

export const clinicDataCommands = [exportCommand, erase];

const RECORDINGS_AT_ONCE = 50;
const AGAIN_AFTER_SECONDS = 600;

/** Deletes the clinic's recordings. A failed deletion stays planned, and the API repeats it. */
async function removeRecordings(em: () => EntityManager, storage: RecordingStorage, tenantId: string) {
  const wanted = { limit: RECORDINGS_AT_ONCE, againAfterSeconds: AGAIN_AFTER_SECONDS, tenantId };
  for (;;) {
    const due = await takeDueRemovals(em(), wanted);
    if (due.length === 0) return;
    for (const bytes of due) {
      await storage.remove(bytes);
      await dropRemoval(em(), bytes);
    }
  }
}
