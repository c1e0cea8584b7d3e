import { findSettingsOfClinics } from '../../db/clinic/settings-of-clinics.ts';
import type { Database } from '../../db/connection/open-database.ts';
import {
  localeOfClinic,
  nowIn,
  speakerOf,
  type Now,
  type TimeInWords,
} from '../../domain/appointments/spoken-time.ts';
import { timezoneOf } from '../../domain/clinic/hours/business-hours.ts';

/** What an agent needs to know of its clinic to read what people say and to say times. */
export interface ClinicWords {
  /** ISO 3166-1 alpha-2 */
  country: string;
  timezone: string;
  now: Now;
  speak: (at: Date) => TimeInWords;
}

/** Calls that arrive together read their clinics in one statement. */
export function createClinicWords(database: Pick<Database, 'ofClinics' | 'batcher'>) {
  const find = database.batcher('agents', (ids: readonly string[]) =>
    database.ofClinics(ids).read(async (em) => {
      const rows = await findSettingsOfClinics(em, ids);
      const clinics = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => clinics.get(id));
    }),
  );
  return async (tenantId: string, now: Date): Promise<ClinicWords> => {
    const clinic = await find(tenantId);
    if (!clinic) throw new Error('a key belongs to a clinic that does not exist');
    const { config, country } = clinic;
    const timezone = timezoneOf(config);
    const speak = speakerOf(localeOfClinic(config, country), timezone, now);
    return { country, timezone, now: nowIn(timezone, now), speak };
  };
}

/** Adds spoken times to appointments, as agents get them: one, a list, with its `replacement`, or in a refusal. */
export function withSpokenTimes(body: unknown, speak: ClinicWords['speak']): unknown {
  if (Array.isArray(body)) return body.map((each) => withSpokenTimes(each, speak));
  if (typeof body !== 'object' || body === null) return body;
  const { startsAt, spoken, ...members } = body as Record<string, unknown>;
  const within = ['items', 'replacement', 'appointment'].filter((name) => members[name] !== undefined);
  return {
    ...body,
    ...(typeof startsAt === 'string' && spoken === undefined && speak(new Date(startsAt))),
    ...Object.fromEntries(within.map((name) => [name, withSpokenTimes(members[name], speak)])),
  };
}
