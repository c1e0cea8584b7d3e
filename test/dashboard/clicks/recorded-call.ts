import { uuidv7 } from 'uuidv7';
import type { RunningInstance } from '../../support/service.ts';
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

const SAMPLES = 8000;
const HEADER_BYTES = 44;

/** WAV, one channel of 16 bits at 8 kHz. */
function aSecondOfSilence(): Uint8Array<ArrayBuffer> {
  const audio = new DataView(new ArrayBuffer(HEADER_BYTES + SAMPLES * 2));
  const write = (text: string, at: number) => {
    for (const [index, letter] of [...text].entries()) audio.setUint8(at + index, letter.charCodeAt(0));
  };
  write('RIFF', 0);
  audio.setUint32(4, audio.byteLength - 8, true);
  write('WAVEfmt ', 8);
  audio.setUint32(16, 16, true);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    audio.setUint16(at, value, true);
  audio.setUint32(24, SAMPLES, true);
  audio.setUint32(28, SAMPLES * 2, true);
  write('data', 36);
  audio.setUint32(40, SAMPLES * 2, true);
  return new Uint8Array(audio.buffer);
}
