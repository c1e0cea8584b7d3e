import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

/** What is known of a recording; its bytes are in the recording storage, under its id. */
export const CallRecordingEntity = defineEntity({
  name: 'CallRecording',
  tableName: 'call_recording',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    callId: p.uuid(),
    contentType: p.text(),
    /** The key of its bytes, sealed. */
    keySealed: p.text().strictNullable(),
    /** Of the audio. */
    sizeBytes: p.integer(),
    sha256: p.blob(),
    uploadedAt: p.datetime(3),
  },
});
export type CallRecordingRow = InferEntity<typeof CallRecordingEntity>;
