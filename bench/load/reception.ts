import { uuidv7 } from 'uuidv7';
import { changeOf, type Answer, type Caller } from './caller.ts';
import type { Ledger } from './ledger.ts';

/** What was asked for beside what causes events, which the ledger counts. */
export interface Asked {
  requests: number;
  failed: number;
}

type Step = () => Promise<Answer>;

/**
 * A clinic at work: bookings, notes, visits that are attended, cancelled or missed, calls, and reading. Each time it is asked it
 * does the next step, after the one before. @param dueAt by the monotonic clock
 */
export function createReception(
  caller: Caller,
  ledger: Ledger,
  asked: Asked,
): (dueAt: number) => Promise<void> {
  const steps = stepsOf(caller);
  let last = Promise.resolve();
  return (dueAt) => {
    const { ask, causesEvent } = steps.next().value;
    asked.requests += 1;
    last = inTurn(last, async () => {
      if (causesEvent) return ledger.ask(async () => changeOf(await ask()), dueAt);
      const { status } = await ask();
      if (status < 200 || status > 299) asked.failed += 1;
      return undefined;
    });
    return last;
  };
}

async function inTurn(last: Promise<void>, step: () => Promise<void>): Promise<void> {
  await last;
  await step();
}

function* stepsOf(caller: Caller): Generator<{ ask: Step; causesEvent: boolean }, never> {
  const event = (ask: Step) => ({ ask, causesEvent: true });
  const other = (ask: Step) => ({ ask, causesEvent: false });
  for (let patient = 0; ; patient += 1) {
    const booked = Promise.withResolvers<string>();
    const call = `/v1/calls/${uuidv7()}`;
    const at = new Date().toISOString();
    const change = async (body: object) => caller.send('PATCH', await booked.promise, body);
    yield event(async () => {
      const answer = await caller.send('POST', '/v1/appointments', caller.nextBooking(), uuidv7());
      booked.resolve(`/v1/appointments/${changeOf(answer)?.split(':')[0]}`);
      return answer;
    });
    yield other(() => caller.send('GET', '/v1/appointments?limit=50'));
    yield event(() => change({ patientNotes: uuidv7() }));
    yield other(() =>
      caller.send('PUT', call, { fromNumber: '+351910000000', toNumber: '+351210000000', startedAt: at }),
    );
    yield other(() => caller.send('POST', `${call}/events`, { events: [speech(at)] }));
    yield other(() => caller.send('POST', `${call}/complete`, { endedAt: at, outcome: 'booking_created' }));
    yield other(async () => caller.send('GET', await booked.promise));
    const ending = [{ status: 'attended' }, { status: 'cancelled' }][patient % 3];
    if (ending) yield event(() => change(ending));
    yield other(() => caller.send('GET', '/v1/webhook-deliveries?limit=20'));
    yield other(() => caller.send('GET', '/v1/calls?limit=20'));
  }
}

function speech(occurredAt: string) {
  return { sequence: 1, eventType: 'speech', occurredAt, transcript: 'Bom dia, queria marcar uma consulta.' };
}
