import type { Bench } from '../scenario.ts';
import { createClinics } from '../service/clinics.ts';
import { booking, createCaller, createEndpoint, newNotes, type Caller, type Cause } from './caller.ts';
import { inTurn } from './pace.ts';

export const PUBLISHERS = 32;

/** Clinics with an endpoint each, and appointments whose notes can change. */
export interface Crowd {
  bookings: Cause;
  notes: Cause;
}

export async function createCrowd(bench: Bench, clinicCount: number, path = '/hook'): Promise<Crowd> {
  const clinics = await createClinics(bench.service, clinicCount, Math.max(2, Math.ceil(20 / clinicCount)));
  const { apiUrl } = await bench.service.running();
  const connections = Math.max(2, Math.ceil((2 * PUBLISHERS) / clinicCount));
  const callers = clinics.map((clinic) =>
    bench.resources.adopt(createCaller(apiUrl, clinic, connections), (caller) => caller.close()),
  );
  for (const caller of callers) await createEndpoint(caller, bench.receiver.url(path));
  const notes = callers.map((caller) => notesOfSome(caller, Math.ceil((20 * PUBLISHERS) / clinicCount)));
  return { bookings: inTurn(callers.map(booking)), notes: inTurn(await Promise.all(notes)) };
}

/** New notes for enough appointments that no two publishers wait for one row. */
async function notesOfSome(caller: Caller, count: number): Promise<Cause> {
  const book = booking(caller);
  const ids: string[] = [];
  while (ids.length < count) ids.push((await book())?.split(':')[0] ?? '');
  return newNotes(caller, ids);
}
