import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readConfig, type Environment } from '../adapters/config/read-config.ts';
import { recordingsConfig } from '../adapters/config/recordings-config.ts';
import { openRecordingStorage } from '../adapters/recordings/open-recording-storage.ts';
import type { RecordingStorage } from '../adapters/recordings/recording-storage.ts';
import { readRecording } from '../adapters/recordings/recording-seal.ts';
import type { Database } from '../db/connection/open-database.ts';
import type { CallRecordingRow } from '../db/entities/calls/call-recording.entity.ts';
import { AdminFailure } from './failures.ts';

export async function openStorage(environment: Environment): Promise<RecordingStorage> {
  return openRecordingStorage(readConfig({ recordings: recordingsConfig }, environment).recordings);
}

export interface RecordingDirectory extends Disposable {
  /** Saves a recording; does nothing for a call without one. */
  save(recording: CallRecordingRow | null): Promise<void>;
}

/** A directory for exported recordings. Each file is named after its call; the export describes the recordings. */
export async function openRecordingDirectory(
  directory: string,
  environment: Environment,
  { ciphers }: Pick<Database, 'ciphers'>,
): Promise<RecordingDirectory> {
  const storage = await openStorage(environment);
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch(refuse);
  return {
    async save(recording) {
      if (!recording) return;
      const audio = await readRecording({ storage, ciphers }, recording);
      if (!audio) throw new Error(`the storage does not contain the recording ${recording.id}`);
      const file = await open(join(directory, recording.callId), 'wx', 0o600).catch(refuse);
      await pipeline(owned(audio), file.createWriteStream()).catch((error: unknown) => {
        // Only write errors concern the directory.
        if (isWrite(error)) refuse(error);
        throw error;
      });
    },
    [Symbol.dispose]: () => storage[Symbol.dispose](),
  };
}

function isWrite(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'write';
}

/** @throws AdminFailure with the directory's problem */
function refuse(error: unknown): never {
  throw new AdminFailure(
    `--recordings: ${String(error instanceof Error ? error.message : error)}. Use an empty directory with enough free space.`,
  );
}

/** Copies pieces: a stream keeps them while it writes, but they are valid only until the next is requested. */
async function* owned(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield Uint8Array.from(piece);
}
