import type { Logger } from '../adapters/logs/logger.ts';
import type { Mailer } from '../adapters/mail/mailer.ts';
import { pause } from '../adapters/timing/pause.ts';
import { checkAcknowledgements } from '../commands/appointments/check-acknowledgements.ts';
import { mailUnacknowledged } from '../commands/appointments/mail-unacknowledged.ts';
import type { Database } from '../db/connection/open-database.ts';

const LOOK_EVERY_MS = 5000;
/** A clinic that changes its settings now waits for these at most. */
const CLINICS_AT_ONCE = 1000;

interface Options {
  database: Database;
  mailer: Mailer | null;
  logger: Logger;
  clock: () => Date;
}

/** Reports what was not acknowledged in time, and mails the clinics, until `signal`. Any number of workers may do so. */
export async function watchAcknowledgements(options: Options, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await untilNoneIsDue(() => checkNext(options), signal);
      await untilNoneIsDue(() => mailNext(options), signal);
    } catch (error) {
      options.logger.warn({ err: error }, 'acknowledgements.not_checked');
    }
    await pause(LOOK_EVERY_MS, signal);
  }
}

async function untilNoneIsDue(next: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  for (let clinics = 0; clinics < CLINICS_AT_ONCE && !signal.aborted; clinics += 1) {
    const isFound = await next();
    if (!isFound) return;
  }
}

async function checkNext({ database, logger, clock }: Options): Promise<boolean> {
  const context = { actor: 'worker', requestId: null, now: clock() };
  const found = await checkAcknowledgements({
    database,
    context,
    onFailed({ id: appointmentId, tenantId }, error) {
      logger.error({ appointmentId, tenantId, err: error }, 'appointment.not_reported');
    },
  });
  if (found && found.reported > 0) logger.info(found, 'appointments.unacknowledged');
  return found !== null;
}

async function mailNext(options: Options): Promise<boolean> {
  const mailed = await mailUnacknowledged(options);
  if (mailed) options.logger.info(mailed, 'unacknowledged.mailed');
  return mailed !== null;
}
