import type { Database, EntityManager } from '../../db/connection/open-database.ts';
import { openRows } from '../../db/encryption/field-seal.ts';
import { AppointmentChangeEntity } from '../../db/entities/appointment-change.entity.ts';
import { AppointmentEntity } from '../../db/entities/appointment.entity.ts';
import { CallEntity, type CallRow } from '../../db/entities/calls/call.entity.ts';
import { SAME_READ_MS } from '../../domain/patient-read.ts';
import { listPatientAccesses } from './patient-accesses.ts';

/** An actor in one clinic, and a time: all by default. */
export interface ActorInClinic {
  tenantId: string;
  /** `key:<id>` or `person:<id>`. */
  actor: string;
  since?: Date | undefined;
  /** Exclusive. */
  until?: Date | undefined;
}

/** What an actor did with one appointment or call. */
interface Touched {
  /** `appointment.read`, `appointment.updated` and so on. */
  actions: Set<string>;
  firstAt: Date;
  lastAt: Date;
  /** The number of entries in the access log and the timelines. */
  entries: number;
}

/** An appointment or call that an actor saw or changed, with its patient. */
export interface TouchedPatient extends Omit<Touched, 'actions'> {
  id: string;
  actions: string[];
  /** Null for a call, and for an erased patient. */
  patientName: string | null;
  patientExternalId: string | null;
  patientPhoneHash: string | null;
  /** Null for an appointment. */
  call: CallRow | null;
}

const PAGE = 1000;

/**
 * The appointments and calls that an actor saw or changed in a clinic, with their patients, by id. The access log records
 * a repeated view only once in a while (`SAME_READ_MS`), so entries from shortly before `since` count too.
 */
export async function* patientsOfActor(database: Pick<Database, 'em'>, wanted: ActorInClinic) {
  const touched = new Map<string, Touched>();
  await addReads(database, wanted, touched);
  await addChanges(database, wanted, touched);
  const ids = [...touched.keys()].toSorted();
  for (let from = 0; from < ids.length; from += PAGE) {
    yield* await withPatients(database.em(), wanted.tenantId, touched, ids.slice(from, from + PAGE));
  }
}

async function addReads(
  database: Pick<Database, 'em'>,
  wanted: ActorInClinic,
  touched: Map<string, Touched>,
) {
  const { since, actor } = wanted;
  const repeatsMs = actor.startsWith('person:') ? SAME_READ_MS.person : SAME_READ_MS.program;
  const from = since && new Date(since.getTime() - repeatsMs);
  let before: string | undefined;
  for (;;) {
    const page = await listPatientAccesses(database.em(), { ...wanted, since: from, before, limit: PAGE });
    for (const { at, action, ids } of page) {
      for (const id of ids) add(touched, { id, action, at });
    }
    before = page.at(-1)?.id;
    if (page.length < PAGE) return;
  }
}

async function addChanges(
  database: Pick<Database, 'em'>,
  wanted: ActorInClinic,
  touched: Map<string, Touched>,
) {
  const { tenantId, actor, since, until } = wanted;
  const at = { ...(since && { $gte: since }), ...(until && { $lt: until }) };
  let after = '0';
  for (;;) {
    const page = await database
      .em()
      .find(
        AppointmentChangeEntity,
        { tenantId, actor, id: { $gt: after }, ...((since || until) && { at }) },
        { orderBy: { id: 'asc' }, limit: PAGE },
      );
    for (const change of page) {
      const { appointmentId: id, kind } = change;
      add(touched, { id, action: `appointment.${kind}`, at: change.at });
    }
    after = page.at(-1)?.id ?? after;
    if (page.length < PAGE) return;
  }
}

function add(touched: Map<string, Touched>, { id, action, at }: { id: string; action: string; at: Date }) {
  const known = touched.get(id) ?? { actions: new Set(), firstAt: at, lastAt: at, entries: 0 };
  known.actions.add(action);
  known.entries += 1;
  if (at < known.firstAt) known.firstAt = at;
  if (at > known.lastAt) known.lastAt = at;
  touched.set(id, known);
}

async function withPatients(
  em: EntityManager,
  tenantId: string,
  touched: ReadonlyMap<string, Touched>,
  ids: readonly string[],
): Promise<TouchedPatient[]> {
  const these = { tenantId, id: { $in: [...ids] } };
  const stored = await em.find(AppointmentEntity, these);
  const appointments = new Map((await openRows(em, 'appointment', stored)).map((row) => [row.id, row]));
  const calls = new Map((await em.find(CallEntity, these)).map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const found = touched.get(id);
    if (!found) return [];
    const appointment = appointments.get(id);
    return {
      ...found,
      id,
      actions: [...found.actions].toSorted(),
      patientName: appointment?.patientName ?? null,
      patientExternalId: appointment?.patientExternalId ?? null,
      patientPhoneHash: appointment?.patientPhoneHash ?? null,
      call: calls.get(id) ?? null,
    };
  });
}
