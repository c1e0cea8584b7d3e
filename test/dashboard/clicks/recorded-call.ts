import { uuidv7 } from 'uuidv7';
import type { RunningInstance } from '../../support/servers/service.ts';
import type { ClinicAtWork } from './clinic-at-work.ts';

/** A call as the telephony side records it, a minute long, with a second of silence as its recording; returns its id. */
export async function recordCall(service: RunningInstance, clinic: ClinicAtWork): Promise<string> {
  const id = uuidv7();
  const path = `/v1/calls/${id}`;
  const begun = Date.now() - 60_000;
  const [startedAt, occurredAt, endedAt] = [0, 5000, 60_000].map((ms) => new Date(begun + ms).toISOString());
  await clinic.ask('PUT', path, { fromNumber: '+351912345678', toNumber: '+351210000000', startedAt });
  const transcript = 'Queria marcar uma limpeza.';
  await clinic.ask('POST', `${path}/events`, {
    events: [{ sequence: 0, eventType: 'speech', occurredAt, transcript }],
  });
  await clinic.ask('POST', `${path}/complete`, { endedAt, outcome: 'booking_created' });
  const answer = await fetch(`${service.running().apiUrl}${path}/recording`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${clinic.key}`, 'content-type': 'audio/wav' },
    body: aSecondOfSilence(),
  });
  if (answer.status !== 201) throw new Error(`the recording was not taken: ${await answer.text()}`);
  return id;
}

const BYTES = 16_000;
const HEADER_BYTES = 44;

/** WAV, one channel of 16 bits at 8 kHz. */
function aSecondOfSilence(): Uint8Array<ArrayBuffer> {
  const audio = Buffer.alloc(HEADER_BYTES + BYTES);
  audio.write('RIFF', 0);
  audio.writeUInt32LE(audio.length - 8, 4);
  audio.write('WAVEfmt ', 8);
  audio.writeUInt32LE(16, 16);
  audio.writeUInt16LE(1, 20);
  audio.writeUInt16LE(1, 22);
  audio.writeUInt32LE(BYTES / 2, 24);
  audio.writeUInt32LE(BYTES, 28);
  audio.writeUInt16LE(2, 32);
  audio.writeUInt16LE(16, 34);
  audio.write('data', 36);
  audio.writeUInt32LE(BYTES, 40);
  return new Uint8Array(audio);
}
