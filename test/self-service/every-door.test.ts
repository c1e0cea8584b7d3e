import { expect, test } from '@jest/globals';
import { createImporter } from '../appointments/import/imported-visits.ts';
import { inHours } from '../support/clinic.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { bookWithEmail, createPostOffice } from './patient-mailing.ts';

const { client, clinic, database } = await suiteApi();
const post = createPostOffice(database);

let hours = 100;
function aTime(): string {
  hours += 2;
  return inHours(hours).toISOString();
}

/** An appointment whose patient has got the confirmation. */
async function aToldPatient() {
  const externalId = `visit-${hours}`;
  const startsAt = new Date(aTime());
  const booked = await bookWithEmail(database, clinic, {
    startsAt,
    externalId,
    email: `p${hours}@mail.example`,
  });
  await post.mail();
  post.sent.length = 0;
  const path = `/v1/appointments/${booked.id}`;
  const item = {
    externalId,
    professionalId: booked.professionalId,
    serviceTypeId: booked.serviceTypeId,
    patientName: booked.patientName,
    patientPhone: '+351912345678',
    startsAt: startsAt.toISOString(),
  };
  return { path, item, externalId };
}

type Told = Awaited<ReturnType<typeof aToldPatient>>;
const importer = createImporter(client, clinic);
async function imported(item: Record<string, unknown>): Promise<void> {
  expect(await importer.bringIn([item])).toMatchObject([{ result: 'updated' }]);
}

const DOORS: Record<string, [mails: string[], use: (told: Told) => Promise<unknown>]> = {
  'a move by PATCH': [['REQUEST'], ({ path }) => client.patch(path, { startsAt: aTime() })],
  'a cancellation by PATCH': [['CANCEL'], ({ path }) => client.patch(path, { status: 'cancelled' })],
  'a move by an import': [['REQUEST'], ({ item }) => imported({ ...item, startsAt: aTime() })],
  'a cancellation by an import': [['CANCEL'], ({ item }) => imported({ ...item, status: 'cancelled' })],
  'a move and a cancellation by an import': [
    ['CANCEL'],
    ({ item }) => imported({ ...item, startsAt: aTime(), status: 'cancelled' }),
  ],
  'a cancellation that is undone at once': [
    [],
    async ({ path }) => {
      await client.patch(path, { status: 'cancelled' });
      await client.post(`${path}/reinstate`, {});
    },
  ],
  'new notes': [[], ({ path }) => client.patch(path, { patientNotes: 'Brings an X-ray' })],
  'a longer end': [
    [],
    ({ path, item }) =>
      client.patch(path, { endsAt: new Date(Date.parse(item.startsAt) + 3_600_000).toISOString() }),
  ],
};

test.each(Object.entries(DOORS))('%s mails what changed', async (_door, [mails, use]) => {
  await use(await aToldPatient());
  await post.mail();
  expect(post.sent.map(({ calendar }) => calendar?.method)).toEqual(mails);
});

test('no answer of the API has the address', async () => {
  const { path } = await aToldPatient();
  const answers = [
    await client.get(path),
    await client.get(`${path}/timeline`),
    await client.get('/v1/appointments'),
    await client.patch(path, { startsAt: aTime() }),
  ];
  for (const { status, text } of answers)
    expect([status, text.includes('mail.example')]).toEqual([200, false]);
});
