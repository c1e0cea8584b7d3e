import type { RecordingsConfig } from '../config/recordings-config.ts';
import { openFileStorage } from './file-storage.ts';
import type { RecordingStorage } from './recording-storage.ts';

/** The storage that RECORDINGS_URL names. The S3 client, a large one, is loaded only where it is used. */
export async function openRecordingStorage(config: RecordingsConfig): Promise<RecordingStorage> {
  if (config.kind === 'file') return openFileStorage(config.directory);
  const { openS3Storage } = await import('./s3-storage.ts');
  return openS3Storage(config);
}
