import type { ByteRange } from '../../domain/calls/byte-range.ts';

/** What names a stored recording: opaque ids, never anything of the patient. */
export interface RecordingName {
  id: string;
  tenantId: string;
}

/** Where the bytes of recordings are. */
export interface RecordingStorage extends Disposable {
  /**
   * Streams a recording to where it stays. Resolves once it is safe there; when it rejects, nothing remains. It may
   * hold a part in memory, never the whole, and a piece that it has taken is its own.
   */
  store(name: RecordingName, contentType: string, audio: AsyncIterable<Uint8Array>): Promise<void>;
  /** Removes a recording; one that is not there is no error. */
  remove(name: RecordingName): Promise<void>;
  /** Each piece is good until the next is asked for. Null when the storage does not have the recording. */
  read(name: RecordingName, range: ByteRange): Promise<AsyncIterable<Uint8Array> | null>;
}
