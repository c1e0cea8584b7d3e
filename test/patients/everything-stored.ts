import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../db/connection/open-database.ts';
import { isSealedText } from '../../domain/encryption/sealed-fields.ts';
import type { SealedPlace } from '../../domain/encryption/sealed-places.ts';
import { SecretUnreadableError } from '../../domain/encryption/text-cipher.ts';
import { TEST_SEALING } from '../support/sealing.ts';
import { textsInSealedPlaces } from '../support/stored/sealed-texts.ts';
import { dump } from '../support/stored/stored-texts.ts';

/** Everything that is stored, the encrypted in clear, and the recordings of that directory. */
export async function everythingStored(database: Database, recordings: string): Promise<string> {
  const texts = [await dump(database)];
  for (const { text, place } of await textsInSealedPlaces(database)) {
    texts.push(await opened(database, text, place));
  }
  for (const name of await readdir(recordings, { recursive: true })) {
    texts.push(await readFile(join(recordings, name), 'latin1').catch(() => ''));
  }
  return texts.join('\n');
}

/** What was sealed under a key that was destroyed is nothing any more. */
async function opened(database: Database, text: string, place: SealedPlace): Promise<string> {
  if (!isSealedText(text)) return text;
  if (place.purpose === 'clinic-key') return TEST_SEALING.master.decrypt(text, place);
  const cipher = await database.ciphers.of(place.tenantId);
  try {
    return cipher.decrypt(text, place);
  } catch (error) {
    if (error instanceof SecretUnreadableError) return '';
    throw error;
  }
}

export interface Count {
  name: string;
  rows: number;
}

/** How many rows there are of what leaves a skeleton, and of other tables. */
export async function countsOf(database: Database, ...others: string[]): Promise<Count[]> {
  const tables = [
    ...others,
    'appointment',
    'call',
    'call_event',
    'nps_response',
    'triage_form',
    'webhook_event',
    'webhook_delivery',
    'webhook_attempt',
    'appointment_change',
  ];
  const parts = tables.map((table) => `SELECT '${table}' AS name, count(*)::int AS rows FROM ${table}`);
  return database.em().execute<Count[]>(parts.join(' UNION ALL '));
}

export async function recordingsStored(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}
