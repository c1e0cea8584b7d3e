import type { ByteRange } from '../../domain/calls/byte-range.ts';

/** Identifies a stored recording: opaque ids, never patient data. */
export interface RecordingName {
  id: string;
  tenantId: string;
}

/** The storage of recordings' bytes. */
export interface RecordingStorage extends Disposable {
  /**
   * Streams a recording into the storage. Resolves when it is durable; when it rejects, nothing remains. The storage
   * may keep a part in memory, never the whole recording, and may change the pieces it has taken.
   */
  store(name: RecordingName, contentType: string, audio: AsyncIterable<Uint8Array>): Promise<void>;
  /** Deletes a recording; a missing one is no error. */
  remove(name: RecordingName): Promise<void>;
  /** Each piece is valid until the next is requested. Null when the storage does not have the recording. */
  read(name: RecordingName, range: ByteRange): Promise<AsyncIterable<Uint8Array> | null>;
}
