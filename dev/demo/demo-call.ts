import { randomInt, randomUUID } from 'node:crypto';
import type { CallSpeaker } from '../../domain/calls/call.ts';
import type { DemoAppointment, DemoSlot } from './demo-api.ts';
import { heading, register, type Demo } from './demo-surroundings.ts';

const PATH = '/phone';
/** The times that the caller wants, and how many are offered. */
const WANTED = { partOfDay: 'afternoon', limit: 3, locale: 'en' };

/** A call between a person and a voice agent, which is reported at its end. */
interface DemoCall {
  id: string;
  caller: string;
  events: object[];
}

/** A patient calls and books with a voice agent: prints what is said, each request with its time, and the webhooks. */
export async function runDemoCall(demo: Demo): Promise<void> {
  const { report, running, receiver } = demo;
  const call: DemoCall = {
    id: randomUUID(),
    // Unknown to the clinic, because an interrupted demo may have left a booking.
    caller: `+35191${randomInt(1_000_000, 10_000_000)}`,
    events: [],
  };
  report.line(`A call to the AI receptionist at ${running.apiUrl}`);
  await register(demo, PATH, { events: ['appointment.*', 'call.*'] });
  await pickUp(demo, call);
  const slot = await findTime(demo, call);
  const appointment = await bookTime(demo, call, slot);
  await hangUp(demo, call);

  heading(demo, '5. The demo cleans up');
  receiver.mark();
  await timed(demo, 'PATCH /v1/appointments/{id}', () => demo.api.setStatus(appointment.id, 'cancelled'));
  await receiver.until(PATH, 'appointment.cancelled');
  report.line('');
  report.line('Every event arrived, every signature was right. The endpoint of the demo is deleted again.');
  if (running.dashboardUrl !== null) report.line(`The call: ${running.dashboardUrl}/calls/${call.id}`);
}

async function pickUp(demo: Demo, call: DemoCall): Promise<void> {
  const { api, receiver, report } = demo;
  const start = { fromNumber: call.caller, toNumber: '+351210000000', startedAt: new Date().toISOString() };
  heading(demo, '1. The phone rings, and the voice picks up');
  receiver.mark();
  await timed(demo, 'PUT /v1/calls/{id}', () => api.calls.start(call.id, start));
  await receiver.until(PATH, 'call.started');
  const briefing = await timed(demo, 'GET /v1/calls/{id}/briefing', () => api.calls.briefing(call.id));
  report.line(
    `   ${briefing.clinic.name}, ${briefing.open ? 'open' : 'closed'}, now ${briefing.now.local}, ` +
      `${briefing.services.length} services, ${briefing.appointments.length} appointments of the caller`,
  );
  say(demo, call, 'assistant', `${briefing.clinic.name}. I am an AI assistant. May I record this call?`);
  say(demo, call, 'caller', 'Yes. I would like a check-up, in the afternoon if possible.');
  const evidence = { aiDisclosedAt: new Date().toISOString(), recordingConsent: 'given', language: 'en' };
  await timed(demo, 'PUT /v1/calls/{id} with the evidence', () =>
    api.calls.start(call.id, { ...start, ...evidence }),
  );
}

async function findTime(demo: Demo, call: DemoCall): Promise<DemoSlot> {
  const wanted = { serviceTypeId: demo.clinic.services[0]?.id, ...WANTED };
  heading(demo, '2. The voice looks for free times');
  const found = await timed(demo, 'POST /v1/availability/search', () => demo.api.search(wanted));
  const [first] = found.items;
  if (!first) throw new Error('no time is free in the next 14 days');
  tell(call, { toolName: 'find_times', toolInput: wanted, toolOutput: found });
  say(demo, call, 'assistant', `I have ${found.items.map(({ spoken }) => spoken).join('; or ')}.`);
  say(demo, call, 'caller', 'The first one. Wait, I am looking at my calendar.');
  return first;
}

async function bookTime(demo: Demo, call: DemoCall, slot: DemoSlot): Promise<DemoAppointment> {
  const { api, receiver, report } = demo;
  const { professionalId, startsAt, spoken, professionalName } = slot;
  const time = {
    professionalId,
    serviceTypeId: demo.clinic.services[0]?.id ?? '',
    startsAt,
    callId: call.id,
  };
  heading(demo, '3. The time is held while the caller decides, then booked');
  const hold = await timed(demo, 'POST /v1/slot-holds', () => api.hold(time));
  tell(call, { toolName: 'hold_time', toolInput: time, toolOutput: hold });
  report.line(`   held until ${hold.expiresAt}: no one else can book it`);
  say(demo, call, 'caller', 'Yes, that works. My name is Maria Silva.');
  say(demo, call, 'assistant', `${spoken} with ${professionalName}, for Maria Silva. Shall I book it?`);
  say(demo, call, 'caller', 'Yes, please.');
  receiver.mark();
  const patient = { patientName: 'Maria Silva', patientPhone: call.caller, source: 'voice_ai' };
  const booking = { ...time, ...patient, holdId: hold.id };
  const booked = await timed(demo, 'POST /v1/appointments', () => api.book(booking));
  tell(call, { toolName: 'book', toolInput: booking, toolOutput: booked });
  await receiver.until(PATH, 'appointment.created');
  say(demo, call, 'assistant', 'It is booked. Goodbye!');
  return booked;
}

async function hangUp(demo: Demo, call: DemoCall): Promise<void> {
  heading(demo, '4. The call ends');
  await timed(demo, 'POST /v1/calls/{id}/events', () => demo.api.calls.addEvents(call.id, call.events));
  const end = {
    endedAt: new Date().toISOString(),
    outcome: 'booking_created',
    summary: 'Maria Silva booked a check-up.',
  };
  demo.receiver.mark();
  await timed(demo, 'POST /v1/calls/{id}/complete', () => demo.api.calls.complete(call.id, end));
  await demo.receiver.until(PATH, 'call.completed');
}

async function timed<Answer>({ report }: Demo, what: string, ask: () => Promise<Answer>): Promise<Answer> {
  const begun = performance.now();
  const answer = await ask();
  report.line(`   ${what} → answered after ${Math.round(performance.now() - begun)} ms`);
  return answer;
}

const VOICES: Record<CallSpeaker, string> = { caller: 'Caller', assistant: 'Voice', human: 'Staff' };

function say({ report }: Demo, call: DemoCall, speaker: CallSpeaker, transcript: string): void {
  report.line(`   ${VOICES[speaker]}: “${transcript}”`);
  note(call, { eventType: 'speech', speaker, transcript });
}

function tell(
  call: DemoCall,
  { toolOutput, ...used }: { toolName: string; toolInput: object; toolOutput: object },
) {
  note(call, { eventType: 'tool_call', speaker: 'assistant', ...used });
  note(call, { eventType: 'tool_result', toolName: used.toolName, toolOutput });
}

function note({ events }: DemoCall, event: object): void {
  events.push({ sequence: events.length, occurredAt: new Date().toISOString(), ...event });
}
