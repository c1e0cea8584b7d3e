import { beforeAll, describe, expect, test } from '@jest/globals';
import { acknowledgeAppointment } from '../../../commands/appointments/acknowledge-appointment.ts';
import { checkAcknowledgements } from '../../../commands/appointments/check-acknowledgements.ts';
import { UNACKNOWLEDGED } from '../../../dashboard/appointments/unacknowledged/unacknowledged-page.ts';
import { UNACKNOWLEDGED_WORDS } from '../../../dashboard/appointments/unacknowledged/words.ts';
import { OVERVIEW_WORDS } from '../../../dashboard/overview/words.ts';
import { ALERT_WORDS } from '../../../dashboard/webhooks/alerts/words.ts';
import { setWatch } from '../../../db/appointments/acknowledgement-watch.ts';
import { ApiKeyEntity } from '../../../db/entities/api-key.entity.ts';
import type { AcknowledgementState } from '../../../domain/appointments/acknowledgement.ts';
import { aKey, asOperator, book, change, inHours } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';

const dashboard = await suiteDashboard();
const { database, clinic } = dashboard;
const { tenantId } = clinic;
const owner = await dashboard.person('ana');
const reception = await dashboard.person('rita');
const support = await dashboard.person('sofia');
const words = UNACKNOWLEDGED_WORDS.en;

let hour = 100;
let bridge = 'operator';
let refused = '';
let missing = '';

async function anAppointment(patientName: string): Promise<string> {
  hour += 1;
  const { id } = await book(database, clinic, { startsAt: inHours(hour), patientName });
  return id;
}

function acknowledge(appointmentId: string, state: AcknowledgementState, reason: string | null = null) {
  const said = { tenantId, appointmentId, version: 1, state, reason };
  const context = { ...asOperator(), actor: bridge };
  return database.write((em) => acknowledgeAppointment(em, said, context));
}

async function check(minutes: number): Promise<void> {
  const context = asOperator(new Date(Date.now() + minutes * 60_000));
  const onFailed = (_version: unknown, error: unknown) => {
    throw error;
  };
  await checkAcknowledgements({ database, context, onFailed });
}

const lineOf = async (id: string) => {
  const { text } = await reception.get(`/appointments/${id}`);
  return new RegExp(`<dt>${words.practiceSoftware}</dt>\\s*<dd>([^<]*)</dd>`).exec(text)?.[1];
};

beforeAll(async () => {
  await aKey(database, tenantId);
  const key = await database.em().findOneOrFail(ApiKeyEntity, { tenantId });
  await database.em().nativeUpdate(ApiKeyEntity, { id: key.id }, { name: 'Dentrix bridge' });
  bridge = `key:${key.id}`;
  await database.write((em) => setWatch(em, tenantId, 15));
  refused = await anAppointment('Rui Refused');
  missing = await anAppointment('Mia Missing');
  await acknowledge(refused, 'refused', 'Chair 4 is <unknown>');
  await check(16);
});

describe('the page of an appointment says in one line', () => {
  test('who has written it, and that a later change is not confirmed', async () => {
    const id = await anAppointment('Wim Written');
    expect(await lineOf(id)).toBeUndefined();
    await acknowledge(id, 'written');
    expect(await lineOf(id)).toMatch(/^Written by Dentrix bridge, .*\d\d:\d\d/);
    await change(database, clinic, id, { patientNotes: 'Prefers mornings' });
    expect(await lineOf(id)).toBe(words.notYet);
  });

  test('why it was refused', async () => {
    expect(await lineOf(refused)).toMatch(/^Refused: Chair 4 is &lt;unknown&gt; \(Dentrix bridge, /);
  });

  test('that it was not confirmed in time, in both languages', async () => {
    expect(await lineOf(missing)).toBe('Not confirmed after 15 min');
    await acknowledge(missing, 'written');
    expect(await lineOf(missing)).toMatch(/^Written by/);
    expect(UNACKNOWLEDGED_WORDS.pt.missingAfter('15')).toBe('Por confirmar ao fim de 15 min');
    await database.em().execute(
      `UPDATE appointment SET acknowledged_version = NULL, acknowledged_state = NULL, acknowledged_at = NULL,
           unacknowledged_version = 1 WHERE id = ?`,
      [missing],
    );
  });
});

describe('what is missing in the practice software', () => {
  test('is on the first page of everyone who sees appointments, and listed with the reason', async () => {
    for (const path of ['/', UNACKNOWLEDGED]) {
      const { text } = await reception.get(path);
      expect(text).toContain(words.title);
      expect(text).toContain(`href="/appointments/${refused}"`);
      expect(text).toContain('Refused: Chair 4 is &lt;unknown&gt;');
      expect(text).toContain(`href="/appointments/${missing}"`);
      expect(text).toContain(words.missing);
    }
    const alerts = await owner.get('/integrations/notices');
    expect(alerts.text).toContain(ALERT_WORDS.en.unacknowledged);
    expect(alerts.text).toContain(`href="/appointments/${refused}"`);
    expect(alerts.text).not.toContain('Chair 4');
  });

  test('is found by the support desk, without the patient and the reason', async () => {
    const find = async (asked: string) => {
      await support.get('/support/stuck');
      return support.submit('/support', { asked });
    };
    for (const asked of ['unconfirmed', 'Luz refused', 'recusadas da luz']) {
      const { text } = await find(asked);
      expect(text).toContain(`/support/appointments/${refused}`);
      expect(text).toContain(`/support/appointments/${missing}`);
      expect(text).not.toMatch(/Rui|Chair 4/);
    }
    expect((await find('unconfirmed at nowhere')).text).not.toContain(refused);
    const { text } = await support.get(`/support/appointments/${refused}`);
    expect(text).toContain(words.refusedSilently);
    expect(text).not.toContain('Chair 4');
  });

  test('is no longer listed once it is written, changed, or the clinic no longer waits', async () => {
    await acknowledge(refused, 'written');
    await change(database, clinic, missing, { patientNotes: 'Prefers mornings' });
    expect((await reception.get(UNACKNOWLEDGED)).text).toContain(words.none);
    expect((await reception.get('/')).text).toContain(OVERVIEW_WORDS.en.nothing);
    await check(120);
    expect((await reception.get('/')).text).toContain(`href="/appointments/${missing}"`);
    await database.write((em) => setWatch(em, tenantId, null));
    expect((await reception.get('/')).text).not.toContain(words.title);
  });
});
