import { afterEach, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { createNoShowActivities } from '../../activities/no-show.activities.ts';
import { STANDARD_TIMINGS } from '../../domain/timings.ts';
import { aClinic, book, change, type TestClinic } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { testLogger } from '../support/test-logger.ts';

const { noShowGraceSeconds: graceSeconds } = STANDARD_TIMINGS;
const PROFESSIONALS = 60;

const database = await suiteDatabase({ poolSize: 10, applicationName: 'no-shows' });
afterEach(() => database.em().execute('TRUNCATE tenant CASCADE'));

/** A clinic that books one professional after the other. */
async function aBusyClinic() {
  const clinic = await aClinic(database, { professionals: PROFESSIONALS });
  const free = clinic.professionalIds.values();
  return {
    clinic,
    /** An appointment whose grace has been over for so long, booked well before by default. */
    async late(seconds: number, bookedSecondsAgo = 86_400): Promise<string> {
      const startsAt = new Date(Date.now() - (graceSeconds + seconds) * 1000);
      const { id } = await book(database, clinic, { professionalId: free.next().value ?? '', startsAt });
      await database.em().execute(`
        UPDATE appointment SET created_at = now() - interval '${bookedSecondsAgo} s' WHERE id = '${id}'`);
      return id;
    },
  };
}

/** The activity of the timers; `marked` gains how late each was. @param clock of the worker */
function timers(clock = () => new Date()) {
  const marked: number[] = [];
  const onNoShow = ({ lateMs }: { lateMs: number }) => void marked.push(lateMs);
  const { markNoShow } = createNoShowActivities({
    database,
    logger: testLogger(),
    clock,
    onNoShow,
  });
  const fire = ({ tenantId: clinicId }: TestClinic, appointmentId: string) =>
    markNoShow({ appointmentId, clinicId });
  return { marked, fire };
}

/** The no-shows among them, each with who marked it, as the timeline tells. */
async function noShows(ids: readonly string[]): Promise<{ id: string; actor: string }[]> {
  const { rows } = await sql<{ id: string; actor: string }>`
    SELECT appointment.id, change.actor
    FROM appointment
    JOIN appointment_change change ON change.appointment_id = appointment.id AND change.kind = 'no_show'
    WHERE appointment.id = ANY(${[...ids]}::uuid[])
      AND appointment.status = 'no_show'
    ORDER BY array_position(${[...ids]}::uuid[], appointment.id)
  `.execute(database.em().getKysely());
  return rows;
}

const byOwnTimer = (id: string) => ({ id, actor: `workflow:appointment:${id}` });

test('a timer that comes late marks those whose timers are late as well, in every clinic, and nothing else', async () => {
  const [own, other] = [await aBusyClinic(), await aBusyClinic()];
  const fired = await own.late(10);
  const late = [await own.late(5), await other.late(3)];
  const [inGrace, justBooked, checkedIn] = [await own.late(-60), await own.late(5, 0), await other.late(5)];
  await change(database, other.clinic, checkedIn, { status: 'attended' });
  const { fire, marked } = timers();
  expect(await fire(own.clinic, fired)).toEqual({ outcome: 'no_show' });
  expect(await noShows([fired, ...late, inGrace, justBooked, checkedIn])).toEqual(
    [fired, ...late].map(byOwnTimer),
  );
  expect(marked).toHaveLength(3);
  expect(await fire(other.clinic, late[1] ?? '')).toEqual({ outcome: 'no_show' });
  expect(marked).toHaveLength(3);
});

test('a timer that is on time leaves the others to theirs', async () => {
  const { clinic, late } = await aBusyClinic();
  const [fired, other] = [await late(10), await late(10)];
  const { fire } = timers(() => new Date(Date.now() - 9_500));
  expect(await fire(clinic, fired)).toEqual({ outcome: 'no_show' });
  expect(await noShows([fired, other])).toEqual([byOwnTimer(fired)]);
});

test('a late timer does not wait for an appointment that someone is changing', async () => {
  const { clinic, late } = await aBusyClinic();
  const [fired, held, free] = [await late(10), await late(10), await late(10)];
  const { fire } = timers();
  await database.write(async (em) => {
    await em.execute(`SELECT 1 FROM appointment WHERE id = '${held}' FOR NO KEY UPDATE`);
    expect(await fire(clinic, fired)).toEqual({ outcome: 'no_show' });
  });
  expect(await noShows([fired, held, free])).toEqual([fired, free].map(byOwnTimer));
});

test('many late timers at once mark each appointment once', async () => {
  const { clinic, late } = await aBusyClinic();
  const crowd = [];
  for (let i = 0; i < PROFESSIONALS; i += 1) crowd.push(await late(10));
  const { fire, marked } = timers();
  const answers = await Promise.all(crowd.map((id) => fire(clinic, id)));
  expect(answers).toEqual(crowd.map(() => ({ outcome: 'no_show' })));
  expect(await noShows(crowd)).toEqual(crowd.map(byOwnTimer));
  expect(marked).toHaveLength(PROFESSIONALS);
});
