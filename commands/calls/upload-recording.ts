import { uuidv7 } from 'uuidv7';
import { measureAudio, type MeasuredAudio } from '../../adapters/recordings/measured-audio.ts';
import { newRecordingSeal } from '../../adapters/recordings/recording-seal.ts';
import { hasAllRecordings } from '../../db/clinic/stored-usage.ts';
import { dropRemoval, findRecordingOfCall, planRemoval } from '../../db/calls/recordings.ts';
import { CallRecordingEntity, type CallRecordingRow } from '../../db/entities/calls/call-recording.entity.ts';
import type { CallRow } from '../../db/entities/calls/call.entity.ts';
import type { Database, EntityManager } from '../../db/connection/open-database.ts';
import { RECORDING_LIMIT_BYTES } from '../../domain/calls/call.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { clinicLimitReached } from '../clinic/clinic-limit.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';
import { removeBytes, type RemovalDependencies } from './remove-recordings.ts';
import { recordedDifferently, type Recorded } from './already-recorded.ts';
import { requireLockedCall, requireCall } from './require-call.ts';
import { recordingLinkExpiry } from '../../domain/calls/recording-link.ts';
import { recordEventOf } from '../webhooks/record-event.ts';

export interface RecordingUpload {
  tenantId: string;
  callId: string;
  contentType: string;
  pieces: AsyncIterable<Uint8Array>;
  /** Whether it may replace another recording of the call. */
  mayReplace: boolean;
}

export interface UploadDependencies extends RemovalDependencies {
  write: Database['write'];
  ciphers: Database['ciphers'];
}

/** Twice the longest request: docs/limits.md#body-sizes */
const UPLOAD_IS_OVER_AFTER_SECONDS = 7200;

const RETRY_AFTER_SECONDS = 30;

/**
 * Stores a recording as it arrives: first the bytes, then the row and the event in one transaction. A repeat is
 * recognised by its hash. The deletion of the bytes is planned before and cancelled by that transaction. So an
 * interruption leaves neither orphaned bytes nor a row without bytes. Errors: `not_found`, `external_id_conflict`,
 * `recording_refused` (by the caller), `payload_too_large`, `malformed_request`, `temporarily_unavailable` (the storage
 * failed).
 */
export async function uploadRecording(
  upload: RecordingUpload,
  dependencies: UploadDependencies,
  context: CommandContext,
): Promise<Recorded<CallRecordingRow>> {
  const { tenantId, callId } = upload;
  const current = await dependencies.read(async (em) => {
    refuseUnwanted(await requireCall(em, tenantId, callId));
    return findRecordingOfCall(em, tenantId, callId);
  });
  if (!current || upload.mayReplace) await refuseWhenFull(tenantId, dependencies);
  const audio = measureAudio(upload.pieces, RECORDING_LIMIT_BYTES);
  if (current && !upload.mayReplace) return compare(audio, current, upload.contentType);
  const recording = await storeBytes(audio, upload, dependencies);
  return keep(recording, upload.mayReplace, dependencies, context);
}

function refuseUnwanted({ recordingConsent }: CallRow): void {
  if (recordingConsent !== 'refused') return;
  throw new ServiceError(
    'recording_refused',
    'The caller refused to be recorded. Delete the audio; nothing was stored.',
  );
}

async function refuseWhenFull(tenantId: string, { read }: UploadDependencies): Promise<void> {
  if (await read((em) => hasAllRecordings(em, tenantId))) throw clinicLimitReached('recordings');
}

/** If the call has a recording, this only compares; nothing is stored. */
async function compare(audio: MeasuredAudio, current: CallRecordingRow, contentType: string) {
  while (!(await audio.pieces.next()).done);
  if (!isSameAudio(current, { ...audio.measured(), contentType })) throw hasAnotherRecording();
  return { recorded: current, isNew: false };
}

async function storeBytes(
  audio: MeasuredAudio,
  { tenantId, callId, contentType }: RecordingUpload,
  { read, storage, ciphers, logger }: UploadDependencies,
): Promise<UploadedRecording> {
  const name = { id: uuidv7(), tenantId };
  const seal = await newRecordingSeal(ciphers, name);
  await read((em) => planRemoval(em, name, UPLOAD_IS_OVER_AFTER_SECONDS));
  try {
    await storage.store(name, seal.contentType, seal.seal(audio.pieces));
  } catch (error) {
    await audio.pieces.return(undefined);
    const fault = audio.fault();
    if (fault) throw fault;
    logger.error({ recordingId: name.id, tenantId, callId, err: error }, 'recording.not_stored');
    throw notStored(error);
  }
  return { ...name, callId, contentType, keySealed: seal.keySealed, ...audio.measured() };
}

function notStored(cause: unknown): ServiceError {
  const error = new ServiceError('temporarily_unavailable', 'The recording could not be stored. Try again.', {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
  error.cause = cause;
  return error;
}

async function keep(
  recording: UploadedRecording,
  mayReplace: boolean,
  dependencies: UploadDependencies,
  context: CommandContext,
): Promise<Recorded<CallRecordingRow>> {
  try {
    const stored = await dependencies.write((em) => storeRecording(em, recording, mayReplace, context));
    const unused = stored.isNew ? stored.replaced : recording;
    if (unused) await removeBytes(unused, dependencies);
    return stored;
  } catch (error) {
    // A refusal was certainly rolled back. After a lost connection the commit may have happened, so the planned
    // deletion decides.
    if (error instanceof ServiceError) await removeBytes(recording, dependencies);
    throw error;
  }
}

/** A recording whose bytes are stored. */
export type UploadedRecording = Omit<CallRecordingRow, 'uploadedAt'>;

/**
 * Adds a recording whose bytes are stored to a call, with `call.recording_ready`. With `mayReplace`, it replaces the
 * call's other recording: its links stop working, and it is returned as `replaced` so that its bytes can be deleted
 * after the commit. Errors: `not_found`, `external_id_conflict` (the call has another recording), `recording_refused`.
 */
export async function storeRecording(
  em: EntityManager,
  uploaded: UploadedRecording,
  mayReplace: boolean,
  context: CommandContext,
) {
  const { tenantId, callId } = uploaded;
  const locked = await requireLockedCall(em, tenantId, callId);
  refuseUnwanted(locked.call);
  const recording = { ...uploaded, uploadedAt: locked.now };
  const current = await findRecordingOfCall(em, tenantId, callId);
  if (current && isSameAudio(current, recording)) return { recorded: current, isNew: false, replaced: null };
  if (current && !mayReplace) throw hasAnotherRecording();
  if (current) await replace(em, current, recording.id, context);
  await em.insert(CallRecordingEntity, recording);
  await dropRemoval(em, recording);
  const recordingExpiresAt = recordingLinkExpiry(recording.uploadedAt).toISOString();
  const data = { call: { id: callId, recordingExpiresAt } };
  await recordEventOf(em, locked, { tenantId, type: 'call.recording_ready', data }, context);
  return { recorded: recording, isNew: true, replaced: current };
}

async function replace(em: EntityManager, current: CallRecordingRow, by: string, context: CommandContext) {
  await em.remove(current).flush();
  await planRemoval(em, current, 0);
  const { tenantId, callId: subjectId } = current;
  const details = { recordingId: current.id, by };
  await recordAudit(em, { action: 'recording.replaced', tenantId, subjectId, details }, context);
}

export function isSameAudio(
  one: Pick<CallRecordingRow, 'sha256' | 'contentType'>,
  other: Pick<CallRecordingRow, 'sha256' | 'contentType'>,
): boolean {
  return Buffer.compare(one.sha256, other.sha256) === 0 && one.contentType === other.contentType;
}

export function hasAnotherRecording() {
  return recordedDifferently('The recording of this call', ['body']);
}
