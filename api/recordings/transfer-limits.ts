import { ConcurrencyLimit } from '../../adapters/connections/concurrency-limit.ts';

/** docs/limits.md#recordings */
const UPLOADS_OF_A_CLINIC = 4;
const DOWNLOADS_OF_A_CLINIC = 10;
const DOWNLOADS_OF_A_LINK = 4;

/** An upload to S3 holds a part of 5 MiB in memory, so all of them together are bounded, too. */
const UPLOADS_OF_ALL = 40;

/** Lets a clinic upload a few recordings at once. The result takes a place and returns what gives it back. */
export function limitUploads(): (tenantId: string) => () => void {
  const ofAll = new ConcurrencyLimit(UPLOADS_OF_ALL, 'Too many uploads are in progress. Try again shortly.');
  const ofClinic = new ConcurrencyLimit(
    UPLOADS_OF_A_CLINIC,
    `The clinic is already uploading ${UPLOADS_OF_A_CLINIC} recordings. Wait until one has finished.`,
  );
  return (tenantId) => both(ofClinic, tenantId, ofAll, 'all');
}

/** Lets a clinic's recordings be downloaded a few times at once, by one link fewer. */
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

/** What `open` gives, and the place with it: `end` is called when all has been taken, and when there is nothing to take. */
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
