import { sql } from 'kysely';
import {
  claimWatch,
  findVersionsDue,
  saveChecked,
  type CheckedVersion,
  type Watch,
} from '../../db/appointments/acknowledgement-watch.ts';
import { lockAppointment } from '../../db/appointments/find-appointment.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { CommandContext } from '../command-context.ts';
import { reportUnacknowledged } from './report-unacknowledged.ts';

/** Versions that are looked at before it is another clinic's turn. */
const PAGE = 200;

export interface CheckAcknowledgements {
  database: Database;
  context: CommandContext;
  onFailed: (version: CheckedVersion & { tenantId: string }, error: unknown) => void;
}

/**
 * Checks the next clinic that waits for acknowledgements, and reports the versions whose time is up, each in its own
 * transaction. Returns the clinic and how many it reported; null when no clinic is due.
 */
export async function checkAcknowledgements(check: CheckAcknowledgements) {
  const { database, context } = check;
  const { now } = context;
  const watch = await claimWatch(database.em(), now);
  if (!watch) return null;
  const versions = await findVersionsDue(database.em(), watch, { now, limit: PAGE });
  let reported = 0;
  for (const version of versions.filter(({ isOverdue }) => isOverdue))
    if (await tryToReport(check, watch, version)) reported += 1;
  const reached = versions.at(-1) ?? { id: watch.reachedId, updatedAt: watch.reachedAt };
  await saveChecked(database.em(), watch, { reached, hasMore: versions.length === PAGE, now });
  return { tenantId: watch.tenantId, reported };
}

/** One that cannot be reported does not hold up the others. Rejects when the database is unavailable. */
async function tryToReport(
  { database, context, onFailed }: CheckAcknowledgements,
  { tenantId }: Watch,
  version: CheckedVersion,
): Promise<boolean> {
  const { id, updatedAt } = version;
  // It may have been acknowledged or changed since the page was read.
  const isStillSo = sql`held.updated_at = ${updatedAt}::timestamptz AND held.version IS DISTINCT FROM held.acknowledged_version`;
  try {
    return await database.write(async (em) => {
      const locked = await lockAppointment(em, tenantId, id, isStillSo);
      return locked !== null && reportUnacknowledged(em, locked, { state: 'missing', reason: null }, context);
    });
  } catch (error) {
    await database.ping();
    onFailed({ ...version, tenantId }, error);
    return false;
  }
}
