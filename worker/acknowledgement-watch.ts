import type { Logger } from '../adapters/logs/logger.ts';
import type { Mailer } from '../adapters/mail/mailer.ts';
import { checkAcknowledgements } from '../commands/appointments/check-acknowledgements.ts';
import { mailUnacknowledged } from '../commands/appointments/mail-unacknowledged.ts';
import type { Database } from '../db/connection/open-database.ts';
import { watch } from './watch.ts';

interface Options {
  database: Database;
  mailer: Mailer | null;
  logger: Logger;
  clock: () => Date;
}

/** Reports what was not acknowledged in time, and mails the clinics, until `signal`. */
export function watchAcknowledgements(options: Options, signal: AbortSignal): Promise<void> {
  const { logger } = options;
  const steps = [() => checkNext(options), () => mailNext(options)];
  return watch({ logger, onFailure: 'acknowledgements.not_checked', steps }, signal);
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
