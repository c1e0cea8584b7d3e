import { alarmMail } from './alarm-mail.ts';
import { bookingToWebhook, grounds, moreProcesses, stopsOnSigterm, updateUnderLoad } from './checks.ts';
import { failover } from './failover.ts';
import { databaseIsOlder, temporalIsGone, temporalIsOlder } from './older-databases.ts';
import { restoreToAMoment } from './restores.ts';
import type { Trial } from './trial.ts';

/** By the names under which they are chosen, in this order: after the failover there is no primary to try the others on. */
export const CHECKS: Readonly<Record<string, (trial: Trial) => Promise<void>>> = {
  booking: bookingToWebhook,
  update: updateUnderLoad,
  scale: moreProcesses,
  metrics: grounds,
  sigterm: stopsOnSigterm,
  restore: restoreToAMoment,
  'database-older': databaseIsOlder,
  'temporal-older': temporalIsOlder,
  'temporal-gone': temporalIsGone,
  alarm: alarmMail,
  failover,
};
