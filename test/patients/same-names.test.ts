import { beforeEach, describe, expect, test } from '@jest/globals';
import { findAppointmentsOfPatient } from '../../db/patients/appointments-of-patient.ts';
import { findPatients } from '../../db/patients/find-patients.ts';
import { createPhoneHash } from '../../adapters/phones/phone-hash.ts';
import { createImporter } from '../appointments/import/imported-visits.ts';
import { aVisit, recallsOf, scanAt } from '../recall/recall-clinic.ts';
import { anyOf } from '../support/any-of.ts';
import { createApiClient, type ApiClient } from '../support/api-client.ts';
import { aClinic, bookingBody, inHours, type TestClinic } from '../support/clinic.ts';
import { suiteApi } from '../support/servers/api-server.ts';

/** Each of them one name, as different people and programs write it. */
const SAME = [
  [
    'Maria-João d’Ávila',
    "Maria João d'Ávila",
    'MARIA JOAO D´AVILA',
    'maria‑joão dʼávila',
    'Maria–Joao D＇Avila',
  ],
  ["Sean O'Neill", 'Seán O’Neill', 'sean oneill', 'SEAN O NEILL', 'Sean Oʻneill'],
  ['Søren Ærø-Łukasz', 'soren aero lukasz', 'SØREN ÆRØ ŁUKASZ'],
  ['Jürgen Groß', 'Ju\u0308rgen GROSS', 'JÜRGEN GROẞ', 'jurgen groß'],
  ['Đorđe Þórsson', 'dorde thorsson', 'ĐORĐE ÞÓRSSON'],
  ['İsmail Işık', 'ismail isik', 'İSMAİL IŞIK', 'Ismail ışık'],
  ['Παναγιώτης Παππάς', 'ΠΑΝΑΓΙΩΤΗΣ ΠΑΠΠΑΣ'],
  ['محمّد علي', 'محمد علی', 'مـحـمـد على'],
  ['Núria Gal·la', 'Nuria Galla'],
  ['Ｍaria ﬁalho', 'Maria fialho'],
] as const;

const DIFFERENT = [
  ['Maria João', 'Mario João'],
  ['Ana', 'Anna'],
  ['João Silva', 'João Silva 2'],
  ['Gross Jonas', 'Gros Sjonas Filho'],
  ['佐藤 さくら', '佐藤 さぐら'],
  ['محمد', 'محمود'],
  ['राम', 'रमा'],
  ['O’Neill', 'Neilson'],
] as const;

interface Pair {
  stored: string;
  asked: string;
}

/** Each way round in some run. */
const same = SAME.flatMap(([one = '', ...others]) =>
  others.map((other): Pair => {
    const stored = anyOf([one, other]);
    return { stored, asked: stored === one ? other : one };
  }),
);
const different = DIFFERENT.map(([stored, asked]): Pair => ({ stored, asked }));

const phoneHash = createPhoneHash({ current: Buffer.alloc(32, 7) });
let clinic: TestClinic;
let client: ApiClient;
let phones = 0;
/** Of the patient of the pair alone. */
let patientPhone: string;

const api = await suiteApi({ phoneHash });
beforeEach(async () => {
  clinic = await aClinic(api.database);
  client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
});

function codeOf({ body }: { body: Record<string, unknown> }): unknown {
  return body['error'];
}

async function agentBooks(body: object): Promise<unknown> {
  const params = { name: 'book', arguments: body };
  const answer = await client.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return JSON.stringify(answer.body).includes('already_booked');
}

/** Whether each door takes the two for one patient; `stored` has an appointment at `startsAt`. */
const DOORS: Record<string, (pair: Pair, startsAt: Date) => Promise<unknown>> = {
  'a booking': async ({ asked }, startsAt) =>
    codeOf(
      await client.post(
        '/v1/appointments',
        bookingBody(clinic, startsAt, { patientName: asked, patientPhone }),
      ),
    ) === 'already_booked',
  'the tool book': ({ asked }, startsAt) =>
    agentBooks(bookingBody(clinic, startsAt, { patientName: asked, patientPhone })),
  'a booking after an import': async ({ stored, asked }, startsAt) => {
    const imported = { status: 'confirmed', patientName: stored, patientPhone };
    const at = new Date(startsAt.getTime() + 3_600_000 * 500);
    const importer = createImporter(client, clinic);
    await importer.idOf(importer.aVisit('imported', { ...imported, startsAt: at.toISOString() }));
    const body = bookingBody(clinic, at, { patientName: asked, patientPhone });
    return codeOf(await client.post('/v1/appointments', body)) === 'already_booked';
  },
  'a search': async ({ asked }) => {
    const { tenantId } = clinic;
    const wanted = { tenantId, question: asked, patientPhoneHashes: null, limit: 5, now: new Date() };
    return (await findPatients(api.database.em(), wanted)).length > 0;
  },
  'an export or erasure': async ({ asked }) => {
    const { tenantId } = clinic;
    const patientPhoneHashes = phoneHash.every({ tenantId, e164: patientPhone });
    const patient = { tenantId, patientPhoneHashes, name: asked };
    return (await findAppointmentsOfPatient(api.database.em(), patient, 5)).length > 0;
  },
};

describe.each(Object.keys(DOORS))('at %s', (door) => {
  const find = async (pair: Pair) => {
    patientPhone = `+3519611${String((phones += 1)).padStart(5, '0')}`;
    const startsAt = inHours(24 + phones);
    const body = bookingBody(clinic, startsAt, { patientName: pair.stored, patientPhone });
    expect(await client.post('/v1/appointments', body)).toMatchObject({ status: 201 });
    return DOORS[door]?.(pair, startsAt);
  };

  test.each(same)('$stored is $asked', async (pair) => {
    expect(await find(pair)).toBe(true);
  });

  test.each(different)('$stored is not $asked', async (pair) => {
    expect(await find(pair)).toBe(false);
  });
});

test.each([...same, ...different])(
  'recall takes $stored and $asked for one patient if they are',
  async (pair) => {
    const visit = { patient: (phones += 1), at: '2026-01-05T10:00:00Z' };
    await aVisit(api.database, clinic, { ...visit, name: pair.stored });
    await aVisit(api.database, clinic, { ...visit, name: pair.asked, at: '2026-06-05T10:00:00Z' });
    await scanAt(api.database, '2026-07-20T10:00:00Z');
    expect(await recallsOf(api.database, clinic)).toHaveLength(different.includes(pair) ? 1 : 0);
  },
);
