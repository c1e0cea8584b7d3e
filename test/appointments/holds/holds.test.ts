import { beforeEach, describe, expect, test } from '@jest/globals';
import { purgeRequests } from '../../../api/start.ts';
import { aStartedCall } from '../../calls/call-builders.ts';
import {
  appointmentIn,
  createApiClient,
  untilAnswered,
  wrongPathsIn,
  type ApiAnswer,
} from '../../support/api-client.ts';
import { aClinic, bookingBody, inHours } from '../../support/clinic.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import { expireHolds } from './expire-holds.ts';

let nextHour = 24;
/** A free time of the clinic's first professional. */
let startsAt: Date;

const api = await suiteApi();
const { professionalIds, serviceTypeId } = api.clinic;
beforeEach(() => {
  startsAt = aFreeTime();
});

/** An hour before it is free too. */
function aFreeTime(): Date {
  nextHour += 2;
  return inHours(nextHour);
}

function aHoldBody(changes: Record<string, unknown> = {}) {
  return { professionalId: professionalIds[0], serviceTypeId, startsAt: startsAt.toISOString(), ...changes };
}

function hold(changes: Record<string, unknown> = {}): Promise<ApiAnswer> {
  return api.client.post('/v1/slot-holds', aHoldBody(changes));
}

async function aHold(changes: Record<string, unknown> = {}): Promise<string> {
  const answer = await hold(changes);
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  return String(answer.body['id']);
}

function book(changes: Record<string, unknown> = {}): Promise<ApiAnswer> {
  return api.client.post('/v1/appointments', bookingBody(api.clinic, startsAt, changes));
}

async function isHeld(id: string): Promise<boolean> {
  return (await api.client.get(`/v1/slot-holds/${id}`)).status === 200;
}

function refusal({ status, body }: ApiAnswer) {
  return [status, body['error']];
}

describe('a hold', () => {
  test('keeps a time from everyone but its own booking, and is gone with that', async () => {
    const held = await hold();
    expect(held).toMatchObject({
      status: 201,
      body: { ...aHoldBody(), endsAt: new Date(startsAt.getTime() + 1_800_000).toISOString(), callId: null },
    });
    const { id, createdAt, expiresAt } = held.body as Record<string, string>;
    expect(held.headers.get('Location')).toBe(`/v1/slot-holds/${id}`);
    expect(Date.parse(expiresAt ?? '') - Date.parse(createdAt ?? '')).toBeGreaterThan(298_000);
    expect((await api.client.get(`/v1/slot-holds/${id}`)).body).toEqual(held.body);

    expect(refusal(await book())).toEqual([409, 'slot_conflict']);
    expect(refusal(await hold())).toEqual([409, 'slot_conflict']);
    expect((await hold()).body['alternatives']).toHaveLength(3);
    expect((await book({ holdId: id })).status).toBe(201);
    expect(await isHeld(String(id))).toBe(false);
  });

  test('is let go by its holder, once', async () => {
    const id = await aHold();
    expect((await api.client.delete(`/v1/slot-holds/${id}`)).status).toBe(204);
    expect(refusal(await api.client.delete(`/v1/slot-holds/${id}`))).toEqual([404, 'not_found']);
    expect((await book()).status).toBe(201);
  });

  test('that has expired is in no one’s way, no matter who comes first', async () => {
    const takers: (() => Promise<ApiAnswer>)[] = [
      () => book(),
      () =>
        api.client.post('/v1/appointments', bookingBody(api.clinic, startsAt), {
          'idempotency-key': crypto.randomUUID(),
        }),
      () => hold(),
      async () => {
        const { id } = appointmentIn(
          await api.client.post('/v1/appointments', bookingBody(api.clinic, aFreeTime())),
        );
        return api.client.patch(`/v1/appointments/${id}`, { startsAt });
      },
      async () => {
        const endsAt = startsAt;
        const before = new Date(startsAt.getTime() - 1_800_000);
        const { id } = appointmentIn(
          await api.client.post('/v1/appointments', bookingBody(api.clinic, before, { endsAt })),
        );
        return api.client.patch(`/v1/appointments/${id}`, { endsAt: new Date(startsAt.getTime() + 600_000) });
      },
      async () => {
        const item = { ...bookingBody(api.clinic, startsAt), externalId: crypto.randomUUID() };
        const answer = await api.client.post('/v1/appointments/import', { items: [item] });
        expect(answer.body['items']).toMatchObject([{ result: 'created' }]);
        return answer;
      },
    ];
    for (const take of takers) {
      startsAt = aFreeTime();
      const id = await aHold();
      await expireHolds(api.database, [id]);
      expect(await isHeld(id)).toBe(false);
      const taken = await take();
      expect([taken.status, taken.body]).toEqual([
        taken.status < 300 ? taken.status : 201,
        expect.anything(),
      ]);
    }
  });

  test('lasts from 30 to 600 seconds', async () => {
    for (const ttlSeconds of [29, 601, 30.5]) {
      const refused = await hold({ ttlSeconds });
      expect([refused.status, wrongPathsIn(refused)]).toEqual([422, ['body.ttlSeconds']]);
    }
    const { body } = await hold({ ttlSeconds: 600 });
    expect(Date.parse(String(body['expiresAt'])) - Date.now()).toBeGreaterThan(590_000);
  });

  test('is of a service, a professional and a call that the clinic has', async () => {
    const stranger = await aClinic(api.database);
    const other = createApiClient(api.url, await api.keyOf({ tenantId: stranger.tenantId }));
    const wrong = {
      professionalId: stranger.professionalIds[0],
      serviceTypeId: stranger.serviceTypeId,
      callId: await aStartedCall(other),
    };
    for (const [field, value] of Object.entries(wrong)) {
      const refused = await hold({ [field]: value });
      expect([refused.status, wrongPathsIn(refused)]).toEqual([422, [`body.${field}`]]);
    }
    const id = await aHold();
    for (const answer of [
      await other.get(`/v1/slot-holds/${id}`),
      await other.delete(`/v1/slot-holds/${id}`),
    ])
      expect(refusal(answer)).toEqual([404, 'not_found']);
    expect(await isHeld(id)).toBe(true);
  });

  test('respects the hours by default, and its booking does not check them again', async () => {
    const body = {
      professionalId: api.clinic.professionalIds[0],
      startsAt,
      endsAt: new Date(startsAt.getTime() + 60_000),
    };
    await api.client.send('PUT', `/v1/busy-blocks/${crypto.randomUUID()}`, { body });
    expect(refusal(await hold())).toEqual([409, 'outside_hours']);
    const holdId = await aHold({ respectHours: false });
    expect((await book({ holdId, respectHours: true })).status).toBe(201);
  });

  test('is made once for one Idempotency-Key, and booked once for another', async () => {
    const once = async (path: string, body: unknown) => {
      const key = { 'idempotency-key': crypto.randomUUID() };
      const first = await api.client.post(path, body, key);
      const again = await api.client.post(path, body, key);
      expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
      return first.body['id'];
    };
    const holdId = await once('/v1/slot-holds', aHoldBody());
    await once('/v1/appointments', bookingBody(api.clinic, startsAt, { holdId }));
  });
});

describe('a booking by a hold', () => {
  test('is booked after the hold has expired, if the time is still free', async () => {
    const expired = await aHold();
    await expireHolds(api.database, [expired]);
    expect((await book({ holdId: expired })).status).toBe(201);
    startsAt = aFreeTime();
    const released = await aHold();
    await api.client.delete(`/v1/slot-holds/${released}`);
    expect((await book({ holdId: released })).status).toBe(201);
  });

  test('is refused with the expired hold when the time is taken', async () => {
    const holdId = await aHold();
    await expireHolds(api.database, [holdId]);
    expect((await book({ patientName: 'Rui' })).status).toBe(201);
    const late = await book({ holdId });
    expect(refusal(late)).toEqual([410, 'hold_expired']);
    expect(late.body['alternatives']).toHaveLength(3);
  });

  test('again is booked already', async () => {
    const holdId = await aHold();
    const { id } = appointmentIn(await book({ holdId }));
    expect((await book({ holdId })).body).toMatchObject({ error: 'already_booked', appointmentId: id });
  });

  test('needs a hold of the clinic, of that professional and of that start', async () => {
    const holdId = await aHold();
    const later = new Date(startsAt.getTime() + 900_000).toISOString();
    const wrong = [
      { holdId: crypto.randomUUID() },
      { holdId, startsAt: later },
      { holdId, professionalId: api.clinic.professionalIds[1] },
    ];
    const { id } = appointmentIn(
      await api.client.post('/v1/appointments', bookingBody(api.clinic, aFreeTime())),
    );
    const notAHold = { holdId: id };
    for (const changes of [...wrong, notAHold]) {
      const booking = await book(changes);
      expect([booking.status, wrongPathsIn(booking)]).toEqual([422, ['body.holdId']]);
      const move = await api.client.patch(`/v1/appointments/${id}`, {
        startsAt,
        professionalId: api.clinic.professionalIds[0],
        ...changes,
      });
      expect([move.status, wrongPathsIn(move)]).toEqual([422, ['body.holdId']]);
    }
    expect(await isHeld(holdId)).toBe(true);
  });

  test('that does not fit leaves the hold as it is', async () => {
    const next = new Date(startsAt.getTime() + 1_800_000);
    await api.client.post('/v1/appointments', bookingBody(api.clinic, next, { patientName: 'Rui' }));
    const holdId = await aHold();
    const endsAt = new Date(next.getTime() + 600_000);
    expect(refusal(await book({ holdId, endsAt }))).toEqual([409, 'slot_conflict']);
    expect(await isHeld(holdId)).toBe(true);
    expect((await book({ holdId })).status).toBe(201);
  });

  test('may be a move, which goes alone with a new start', async () => {
    const { id } = appointmentIn(
      await api.client.post('/v1/appointments', bookingBody(api.clinic, aFreeTime())),
    );
    const holdId = await aHold();
    const alone = await api.client.patch(`/v1/appointments/${id}`, { holdId });
    expect([alone.status, wrongPathsIn(alone)]).toEqual([422, ['body.holdId']]);
    expect(refusal(await api.client.patch(`/v1/appointments/${id}`, { startsAt }))).toEqual([
      409,
      'slot_conflict',
    ]);
    const moved = await api.client.patch(`/v1/appointments/${id}`, { startsAt, holdId });
    expect(moved.body).toMatchObject({ replacement: { startsAt: startsAt.toISOString() } });
    expect(await isHeld(holdId)).toBe(false);
  });
});

describe('a call', () => {
  test('that asks for a time again renews its hold', async () => {
    const callId = await aStartedCall(api.client);
    const first = await hold({ callId, ttlSeconds: 60 });
    const again = await hold({ callId, ttlSeconds: 300 });
    expect([again.status, again.body['id']]).toEqual([201, first.body['id']]);
    expect(String(again.body['expiresAt']) > String(first.body['expiresAt'])).toBe(true);
  });

  test('that changes its mind is not in its own way', async () => {
    const callId = await aStartedCall(api.client);
    const first = await aHold({ callId });
    startsAt = new Date(startsAt.getTime() + 900_000);
    const second = await aHold({ callId });
    expect([await isHeld(first), await isHeld(second)]).toEqual([false, true]);
    // The agent has forgotten the id.
    expect((await book({ callId })).status).toBe(201);
  });

  test('that ends lets go what it held, and holds nothing more', async () => {
    const callId = await aStartedCall(api.client);
    const id = await aHold({ callId });
    const end = { endedAt: new Date(Date.now() + 1000).toISOString(), outcome: 'abandoned' };
    expect((await api.client.post(`/v1/calls/${callId}/complete`, end)).status).toBe(201);
    expect(await isHeld(id)).toBe(false);
    expect((await book()).status).toBe(201);
    startsAt = aFreeTime();
    const late = await hold({ callId });
    expect([late.status, wrongPathsIn(late)]).toEqual([422, ['body.callId']]);
  });

  test('holds three times at once, and another after one has expired, however many ask together', async () => {
    const callId = await aStartedCall(api.client);
    const starts = Array.from({ length: 8 }, () => aFreeTime().toISOString());
    const answers = await Promise.all(starts.map((start) => hold({ callId, startsAt: start })));
    const held = answers.filter(({ status }) => status === 201);
    expect(held).toHaveLength(3);
    for (const answer of answers.filter((each) => !held.includes(each)))
      expect(refusal(answer)).toEqual([409, 'hold_limit_reached']);
    await expireHolds(api.database, [String(held[0]?.body['id'])]);
    expect((await hold({ callId })).status).toBe(201);
  });
});

test('a key holds 200 times at once, however many ask together', async () => {
  const clinic = await aClinic(api.database);
  const [one, other] = await Promise.all(
    ['', ''].map(async () => createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }))),
  );
  const body = (hour: number) => {
    const { professionalId, serviceTypeId, startsAt } = bookingBody(clinic, inHours(hour));
    return { professionalId, serviceTypeId, startsAt, respectHours: false };
  };
  let hour = 24;
  const codes: unknown[] = [];
  const twentyOne = async () => {
    for (let made = 0; made < 21; made += 1) {
      const answer = await one?.post('/v1/slot-holds', body(hour++));
      codes.push(answer?.body['error'] ?? answer?.status);
    }
  };
  await Promise.all(Array.from({ length: 10 }, twentyOne));
  expect(codes.filter((code) => code === 201)).toHaveLength(200);
  expect(codes.filter((code) => code === 'hold_limit_reached')).toHaveLength(10);
  expect((await other?.post('/v1/slot-holds', body(hour)))?.status).toBe(201);
});

test('200 agents after one time: one holds it, and that one books it', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, async (_, agent) => {
      const held = await untilAnswered(() => hold());
      const holdId = held.status === 201 ? held.body['id'] : undefined;
      const booked = await untilAnswered(() => book({ holdId, patientName: `Patient ${agent}` }));
      return `${held.status} ${booked.status}`;
    }),
  );
  expect(outcomes.toSorted()).toEqual(['201 201', ...Array(199).fill('409 409')]);
});

test('a hold is forgotten a day after its end, and no sooner', async () => {
  const [over, old] = [await aHold(), await aHold({ startsAt: aFreeTime() })];
  await expireHolds(api.database, [over]);
  await expireHolds(api.database, [old], { daysAgo: 1 });
  const live = await aHold({ startsAt: aFreeTime() });
  const booked = appointmentIn(await book({ holdId: over }));
  await purgeRequests(api.database, new Date());
  expect(refusal(await book({ holdId: over, patientName: 'Rui' }))).toEqual([410, 'hold_expired']);
  expect(wrongPathsIn(await book({ holdId: old }))).toEqual(['body.holdId']);
  expect(await isHeld(live)).toBe(true);
  expect((await api.client.get(`/v1/appointments/${booked.id}`)).status).toBe(200);
});

describe('free times', () => {
  async function startsOf(includeHeld: boolean): Promise<Record<string, unknown>[]> {
    const to = new Date(startsAt.getTime() + 60_000);
    const query = {
      serviceTypeId,
      professionalId: professionalIds[0] ?? '',
      from: startsAt.toISOString(),
      to: to.toISOString(),
    };
    const listed = await api.client.get('/v1/availability', {
      ...query,
      ...(includeHeld && { includeHeld: 'true' }),
    });
    const found = await api.client.post('/v1/availability/search', {
      serviceTypeId,
      professionalIds: [professionalIds[0]],
      from: startsAt,
      to,
      ...(includeHeld && { includeHeld }),
    });
    const seen = found.body['items'] as Record<string, unknown>[];
    expect(listed.body['items']).toEqual(
      seen.map(({ professionalId, startsAt: start, endsAt, heldUntil }) => ({
        professionalId,
        startsAt: start,
        endsAt,
        ...(heldUntil !== undefined && { heldUntil }),
      })),
    );
    return seen;
  }

  test('leave held ones out by default until the hold has expired', async () => {
    const held = await hold();
    expect(await startsOf(false)).toEqual([]);
    expect(await startsOf(true)).toMatchObject([
      { startsAt: startsAt.toISOString(), heldUntil: held.body['expiresAt'] },
    ]);
    await expireHolds(api.database, [String(held.body['id'])]);
    for (const includeHeld of [false, true]) {
      const [slot] = await startsOf(includeHeld);
      expect(slot).toMatchObject({ startsAt: startsAt.toISOString() });
      expect(slot).not.toHaveProperty('heldUntil');
    }
  });
});
