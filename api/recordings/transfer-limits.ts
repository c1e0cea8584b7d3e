import { ConcurrencyLimit } from '../../adapters/connections/concurrency-limit.ts';

/** docs/limits.md#recordings */
const UPLOADS_OF_A_CLINIC = 4;
const DOWNLOADS_OF_A_CLINIC = 10;
const DOWNLOADS_OF_A_LINK = 4;

/** An upload to S3 keeps a 5 MiB part in memory, so the total is limited too. */
const UPLOADS_OF_ALL = 40;

/** Limits the concurrent uploads of a clinic. Takes a place and returns a function that releases it. */
export function limitUploads(): (tenantId: string) => () => void {
  const ofAll = new ConcurrencyLimit(UPLOADS_OF_ALL, 'Too many uploads are in progress. Try again shortly.');
  const ofClinic = new ConcurrencyLimit(
    UPLOADS_OF_A_CLINIC,
    `The clinic is already uploading ${UPLOADS_OF_A_CLINIC} recordings. Wait until one has finished.`,
  );
  return (tenantId) => both(ofClinic, tenantId, ofAll, 'all');
}

/** Limits the concurrent downloads of a clinic and of a single link. */
export function limitDownloads(): (tenantId: string, link: string) => () => void {
  const ofClinic = new ConcurrencyLimit(
    DOWNLOADS_OF_A_CLINIC,
    `${DOWNLOADS_OF_A_CLINIC} recordings of the clinic are already being downloaded. Wait until one has finished.`,
  );
  const ofLink = new ConcurrencyLimit(
    DOWNLOADS_OF_A_LINK,
    `${DOWNLOADS_OF_A_LINK} downloads of this link are already in progress. Wait until one has finished.`,
  );
  return (tenantId, link) => both(ofLink, link, ofClinic, tenantId);
}

/**
 * Streams what `open` returns and occupies a place until the stream ends. `end` is called when everything has been
 * read, or when there is nothing to read.
 */
export async function untilTaken(
  open: () => Promise<AsyncIterable<Uint8Array> | null>,
  end: () => void,
): Promise<AsyncIterable<Uint8Array> | null> {
  try {
    const pieces = await open();
    if (pieces) return endingWith(pieces, end);
  } catch (error) {
    end();
    throw error;
  }
  end();
  return null;
}

async function* endingWith(pieces: AsyncIterable<Uint8Array>, end: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } finally {
    end();
  }
}

function both(first: ConcurrencyLimit, firstName: string, second: ConcurrencyLimit, secondName: string) {
  const leaveFirst = first.enter(firstName);
  try {
    const leaveSecond = second.enter(secondName);
    return () => {
      leaveFirst();
      leaveSecond();
    };
  } catch (error) {
    leaveFirst();
    throw error;
  }
}
