import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

/** Facts about a recording; its bytes are in the recording storage under its id. */
export const CallRecordingEntity = defineEntity({
  name: 'CallRecording',
  tableName: 'call_recording',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    callId: p.uuid(),
    contentType: p.text(),
    /** The encrypted key of its bytes. */
    keySealed: p.text().strictNullable(),
    /** Size of the audio. */
    sizeBytes: p.integer(),
    sha256: p.blob(),
    uploadedAt: p.datetime(3),
  },
});
export type CallRecordingRow = InferEntity<typeof CallRecordingEntity>;
