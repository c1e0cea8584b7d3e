import type { RecordingsConfig } from '../config/recordings-config.ts';
import { openFileStorage } from './file-storage.ts';
import type { RecordingStorage } from './recording-storage.ts';
import { openS3Storage } from './s3-storage.ts';

/** The storage that RECORDINGS_URL names. */
export async function openRecordingStorage(config: RecordingsConfig): Promise<RecordingStorage> {
  return config.kind === 'file' ? openFileStorage(config.directory) : openS3Storage(config);
}
