import type { RecordingName, RecordingStorage } from './recording-storage.ts';

const LINK_SECONDS = 300;

/** The whole of a recording, wherever it is stored. @throws when the storage does not have it */
export async function readRecording(
  { access }: RecordingStorage,
  recording: RecordingName & { sizeBytes: number },
): Promise<AsyncIterable<Uint8Array>> {
  if (access.kind === 'redirect') {
    const answer = await fetch(await access.linkTo(recording, 'GET', LINK_SECONDS));
    if (!answer.ok || !answer.body) throw new Error(`the storage answers ${answer.status} for a recording`);
    return answer.body;
  }
  const audio = await access.read(recording, { first: 0, last: recording.sizeBytes - 1 });
  if (!audio) throw new Error(`the storage has no recording ${recording.id}`);
  return audio;
}
