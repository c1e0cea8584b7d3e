import { uuidv7 } from 'uuidv7';
import type { CallSpeaker } from '../../../domain/calls/call.ts';
import { AppointmentEntity } from '../../../db/entities/appointment.entity.ts';
import { CallEventEntity, type CallEventRow } from '../../../db/entities/calls/call-event.entity.ts';
import { aCall, phoneHash } from '../calls/a-call.ts';
import { at, dayIn, YESTERDAY, type ClinicDay } from './clinic-day.ts';

const PHONE = '+351915555555';
const STARTED_AT = at(YESTERDAY, '18:40');
const BOOKED_FOR = at(dayIn(6), '15:00');

const after = (seconds: number) => new Date(STARTED_AT.getTime() + seconds * 1000);

type Said = Pick<CallEventRow, 'eventType'> & Partial<CallEventRow>;

/** A call in which the receptionist of the service has booked a visit; returns its id. */
export async function agreedInCall(clinicDay: ClinicDay): Promise<string> {
  const { clinic, database, services, who } = clinicDay;
  const { tenantId } = clinic;
  const callId = await aCall(clinicDay, { from: PHONE, startedAt: STARTED_AT, outcome: 'booking_created' });
  const em = database.em();
  const { id } = await clinicDay.booked(dayIn(6), '15:00', {
    patientName: 'Teresa Antunes',
    patientPhoneHash: phoneHash({ tenantId, e164: PHONE }),
    serviceTypeId: services.limpeza,
    professionalId: who.bia,
    source: 'voice_ai',
    callId,
  });
  await em.nativeUpdate(AppointmentEntity, { id }, { createdAt: after(88) });
  const free = { transcript: null, toolName: null, toolInput: null, toolOutput: null };
  const events = whatWasSaid(clinicDay).map((said, sequence) => ({
    id: uuidv7(),
    tenantId,
    callId,
    sequence,
    occurredAt: after(6 + 14 * sequence),
    ...free,
    ...said,
  }));
  await em.insertMany(CallEventEntity, events);
  return callId;
}

function whatWasSaid({ services, who }: ClinicDay): Said[] {
  const speech = (speaker: CallSpeaker, transcript: string): Said => ({
    eventType: 'speech',
    speaker,
    transcript,
  });
  const wanted = { serviceTypeId: services.limpeza, partOfDay: 'afternoon' };
  const booking = { ...wanted, professionalId: who.bia, startsAt: BOOKED_FOR.toISOString() };
  const offered = { items: [{ spoken: 'na próxima semana, às 15 horas', startsAt: BOOKED_FOR }] };
  return [
    speech('caller', 'Bom dia, queria marcar uma limpeza. De manhã não posso.'),
    { eventType: 'tool_call', toolName: 'find_times', toolInput: wanted },
    { eventType: 'tool_result', toolName: 'find_times', toolOutput: offered },
    speech('assistant', 'Tenho na próxima semana, às 15 horas, com a Dra. Beatriz Costa.'),
    speech('caller', 'Perfeito, fica assim.'),
    { eventType: 'tool_call', toolName: 'book', toolInput: { ...booking, patientName: 'Teresa Antunes' } },
  ];
}
