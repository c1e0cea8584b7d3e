import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RecordingsConfig } from '../config/recordings-config.ts';
import type { RecordingStorage, RecordingName } from './recording-storage.ts';
import type { ByteRange } from '../../domain/calls/byte-range.ts';
import { isErrorCode } from '../error-code.ts';
import { releaseMemory } from './in-chunks.ts';

/** The storage in RECORDINGS_URL. The large S3 client is loaded only when it is used. */
export async function openRecordingStorage(config: RecordingsConfig): Promise<RecordingStorage> {
  if (config.kind === 'file') return openFileStorage(config.directory);
  const { openS3Storage } = await import('./s3-storage.ts');
  return openS3Storage(config);
}

const PIECE_BYTES = 256 * 1024;

type Pieces = AsyncIterable<Uint8Array>;

/**
 * Recordings in a directory, one file each, readable only by this account. Uploads go to `unfinished/` and are flushed
 * and renamed, so a file is always complete. Deleting a recording also deletes its unfinished file, if a killed process
 * left one.
 */
export async function openFileStorage(directory: string): Promise<RecordingStorage> {
  const unfinished = join(directory, 'unfinished');
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const pathOf = ({ tenantId, id }: RecordingName) => join(directory, tenantId, id);
  const unfinishedPathOf = ({ id }: RecordingName) => join(unfinished, id);
  return {
    store: (name, _contentType, audio) => storeFile(pathOf(name), unfinishedPathOf(name), audio),
    async remove(name) {
      await rm(unfinishedPathOf(name), { force: true });
      await rm(pathOf(name), { force: true });
    },
    read: (name, range) => readFile(pathOf(name), range),
    [Symbol.dispose]: () => undefined,
  };
}

async function storeFile(path: string, unfinishedPath: string, audio: Pieces): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(unfinishedPath, audio);
    await rename(unfinishedPath, path);
    await flushDirectory(dirname(path));
  } catch (error) {
    await rm(unfinishedPath, { force: true });
    throw error;
  }
}

async function writeFile(path: string, audio: Pieces): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  for await (const piece of audio) {
    await file.writeFile(piece);
    releaseMemory(piece);
  }
  await file.sync();
}

/** Flushes a directory, so that a renamed file survives a crash. */
async function flushDirectory(directory: string): Promise<void> {
  await using handle = await open(directory, 'r');
  await handle.sync();
}

async function readFile(path: string, range: ByteRange): Promise<Pieces | null> {
  try {
    return piecesOf(await open(path, 'r'), range);
  } catch (error) {
    if (isErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Reads a part of a file in pieces, which all use one buffer. */
async function* piecesOf(file: FileHandle, { first, last }: ByteRange): AsyncGenerator<Uint8Array> {
  await using opened = file;
  const buffer = Buffer.allocUnsafeSlow(PIECE_BYTES);
  for (let position = first; position <= last;) {
    const wanted = Math.min(PIECE_BYTES, last - position + 1);
    const { bytesRead } = await opened.read(buffer, 0, wanted, position);
    if (bytesRead === 0) throw new Error('a recording is shorter than it was when it was stored');
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
