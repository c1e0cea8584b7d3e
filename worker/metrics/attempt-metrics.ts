import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { AttemptNotBegun } from '../../adapters/webhooks/attempt-failure.ts';
import type { SendAttempt } from '../../sending/send-attempt.ts';
import { SecretUnreadableError } from '../../domain/encryption/text-cipher.ts';
import { STANDARD_TIMINGS } from '../../domain/timings.ts';
import { ERROR_CLASSES } from '../../domain/webhooks/attempt-error.ts';

/** Seconds. Receivers have ten; first attempts wait longer only when something is wrong. */
const DURATIONS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const DELAYS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

/** Returns what measures the attempts that a `send` makes. */
export function createAttemptMetrics(registry: Registry) {
  const { attempts, duration, firstDelay, faults, inFlight } = defineMetrics(registry);
  return (send: SendAttempt): SendAttempt =>
    async (delivery, attempt, right) => {
      inFlight.inc();
      try {
        const made = await send(delivery, attempt, right);
        const outcome = { outcome: made.outcome, error_class: made.errorClass ?? 'none' };
        attempts.inc({ ...outcome, attempt });
        duration.observe(outcome, made.durationMs / 1000);
        // Some events are dated by the clock of the process that caused them, which may differ from the database's.
        const waitedMs = Math.max(0, made.startedAt.getTime() - delivery.askedAtMs);
        if (attempt === 1) firstDelay.observe(waitedMs / 1000);
        return made;
      } catch (error) {
        if (error instanceof AttemptNotBegun) throw error;
        faults.inc({ fault: error instanceof SecretUnreadableError ? 'secret_unreadable' : 'other' });
        throw error;
      } finally {
        inFlight.dec();
      }
    };
}

function defineMetrics(registry: Registry) {
  const registers = [registry];
  const faults = new Counter({
    name: 'webhook_attempt_faults_total',
    help: 'Attempts that could not be made for a fault of our own',
    labelNames: ['fault'],
    registers,
  });
  for (const fault of ['secret_unreadable', 'other']) faults.inc({ fault }, 0);
  return {
    faults,
    attempts: createAttemptCounter(registers),
    duration: new Histogram({
      name: 'webhook_attempt_duration_seconds',
      help: 'How long receivers took',
      labelNames: ['outcome', 'error_class'],
      buckets: DURATIONS,
      registers,
    }),
    firstDelay: new Histogram({
      name: 'webhook_first_attempt_delay_seconds',
      help: 'From the event to the beginning of its first attempt',
      buckets: DELAYS,
      registers,
    }),
    inFlight: new Gauge({
      name: 'webhook_attempts_in_flight',
      help: 'Attempts under way in this process',
      registers,
    }),
  };
}

/** Everything it may ever count is there from the start: a first failure would else be no increase. */
function createAttemptCounter(registers: Registry[]) {
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts of webhook deliveries by outcome and number',
    labelNames: ['outcome', 'error_class', 'attempt'],
    registers,
  });
  for (const attempt of [1, ...STANDARD_TIMINGS.retryDelaysSeconds.map((_, at) => at + 2)]) {
    attempts.inc({ outcome: 'succeeded', error_class: 'none', attempt }, 0);
    for (const error_class of ERROR_CLASSES) attempts.inc({ outcome: 'failed', error_class, attempt }, 0);
  }
  return attempts;
}
