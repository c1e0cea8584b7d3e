import type { CallNumberSeal } from '../../adapters/phones/call-numbers.ts';
import { requireCall } from '../../commands/calls/require-call.ts';
import { findHoldsOfCall } from '../../db/appointments/slot-holds.ts';
import { listAppointments } from '../../db/appointments/lists/list-appointments.ts';
import { findCallers } from '../../db/calls/callers.ts';
import { listTranscript, type TranscriptLine } from '../../db/calls/call-events.ts';
import { findRecordingOfCall } from '../../db/calls/recordings.ts';
import { listProfessionals } from '../../db/clinic/professionals.ts';
import { listServices } from '../../db/clinic/services.ts';
import { openRow } from '../../db/encryption/field-seal.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { CallRow } from '../../db/entities/calls/call.entity.ts';
import { findActorNames } from '../../db/people/people.ts';
import { earliestStart } from '../../domain/appointments/slot.ts';
import { localDayOf } from '../../domain/clinic/hours/local-day.ts';
import type { View } from '../layout/view.ts';
import type { WholeCall } from './call-page.ts';

export interface WantedCall {
  tenantId: string;
  callId: string;
  /** The sequence of the previous page's last line; -1 at first. */
  after: number;
  numbers: CallNumberSeal;
}

/** `lastLine`: the sequence of the last line if there are more; otherwise null. */
type FoundCall = Omit<WholeCall, 'cursor' | 'isFirstPage'> & { lastLine: number | null };

const LINES = 60;
/** The most characters of transcript per page. */
const MAX_CHARACTERS = 30_000;
const MAX_APPOINTMENTS = 10;

/** A call with one page of its transcript. @throws ServiceError `not_found` */
export async function findWholeCall(
  em: EntityManager,
  { tenantId, callId, after, numbers }: WantedCall,
  { now, format }: View,
): Promise<FoundCall> {
  const call = await requireCall(em, tenantId, callId);
  const found = await listTranscript(em, { tenantId, callId: call.id, after, limit: LINES + 1 });
  const lines = readable(found);
  const { fromNumber, hash: callerHash } = numbers.callerOf(call);
  const callers = await findCallers(em, tenantId, [callerHash], now);
  return {
    call,
    fromNumber,
    toNumber: numbers.show(call).toNumber,
    summary: (await openRow(em, 'call', call)).summary,
    caller: callers.get(callerHash),
    hasRecording: (await findRecordingOfCall(em, tenantId, call.id)) !== null,
    ...(await appointmentsAbout(em, call, { zone: format.zone, callerHash })),
    holds: await findHoldsOfCall(em, tenantId, call.id),
    lines,
    lastLine: lines.length < found.length ? (lines.at(-1)?.sequence ?? null) : null,
    names: await namesIn(em, call),
  };
}

/** The names for ids in a transcript, including inactive professionals, and of the person who called back. */
async function namesIn(em: EntityManager, { tenantId, calledBackBy }: CallRow): Promise<Map<string, string>> {
  const professionals = await listProfessionals(em, tenantId, { withInactive: true });
  const services = await listServices(em, tenantId, { withInactive: true });
  const rows = [...professionals, ...services.map(({ service }) => service)];
  const people = await findActorNames(em, tenantId, [calledBackBy]);
  return new Map([...rows.map(({ id, name }): [string, string] => [id, name]), ...people]);
}

/** The lines that fit on a page, at least one. */
function readable(found: readonly TranscriptLine[]): TranscriptLine[] {
  let characters = 0;
  return found.slice(0, LINES).filter(({ transcript, tool }, at) => {
    characters += (transcript?.length ?? 0) + (tool?.length ?? 0);
    return at === 0 || characters <= MAX_CHARACTERS;
  });
}

/** Appointments made in the call, and others with the caller's phone from its day on. */
async function appointmentsAbout(
  em: EntityManager,
  { tenantId, id: callId, startedAt }: CallRow,
  { zone, callerHash }: { zone: string; callerHash: string },
) {
  const { from } = localDayOf(startedAt, zone);
  const limit = MAX_APPOINTMENTS;
  const made = await listAppointments(em, { tenantId, callId }, { limit });
  const ofCaller = { tenantId, patientPhoneHashes: [callerHash], from: earliestStart(from) };
  const later = await listAppointments(em, ofCaller, { limit });
  return {
    agreed: made.rows,
    visits: later.rows.filter((row) => row.callId !== callId && row.endsAt > from),
  };
}
