import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ByteRange } from '../../domain/byte-range.ts';
import type { RecordingName, RecordingStorage } from './recording-storage.ts';

/** An upload that is still alive writes at least every minute. */
const ABANDONED_AFTER_MS = 3_600_000;

/**
 * Recordings in a directory, one file each, readable by this account alone. A file appears under its name only when it
 * is whole and on disk: uploads go to `unfinished/`, are flushed and renamed. What a killed process left there is
 * cleared at the next opening.
 */
export async function openFileStorage(directory: string): Promise<RecordingStorage> {
  const unfinished = join(directory, 'unfinished');
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  await clearAbandoned(unfinished);
  const pathOf = ({ tenantId, id }: RecordingName) => join(directory, tenantId, id);
  return {
    store: (name, _contentType, audio) => storeFile(pathOf(name), join(unfinished, randomUUID()), audio),
    remove: (name) => rm(pathOf(name), { force: true }),
    access: { kind: 'read', read: (name, range) => readFile(pathOf(name), range) },
    [Symbol.dispose]: () => undefined,
  };
}

async function storeFile(path: string, unfinishedPath: string, audio: Readable): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await pipeline(audio, createWriteStream(unfinishedPath, { flags: 'wx', mode: 0o600, flush: true }));
    await rename(unfinishedPath, path);
    await flushDirectory(dirname(path));
  } catch (error) {
    await rm(unfinishedPath, { force: true });
    throw error;
  }
}

/** Makes the new name as lasting as the bytes. */
async function flushDirectory(directory: string): Promise<void> {
  await using handle = await open(directory, 'r');
  await handle.sync();
}

async function readFile(path: string, { first, last }: ByteRange): Promise<Readable | null> {
  try {
    const file = await open(path, 'r');
    return file.createReadStream({ start: first, end: last });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

async function clearAbandoned(unfinished: string): Promise<void> {
  const before = Date.now() - ABANDONED_AFTER_MS;
  for (const name of await readdir(unfinished)) {
    const path = join(unfinished, name);
    const { mtimeMs } = await stat(path);
    if (mtimeMs < before) await rm(path, { force: true });
  }
}
