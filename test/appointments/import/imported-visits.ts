import { expect } from '@jest/globals';
import type { ApiAnswer, ApiClient } from '../../support/api-client.ts';
import { inHours, type TestClinic } from '../../support/clinic.ts';

export const IMPORT_PATH = '/v1/appointments/import';

export type Item = Record<string, unknown>;

interface ImportedItem {
  externalId: string | null;
  result: string;
  id?: string;
  error?: string;
  errors?: { path: string; message: string }[];
}

let nextDay = 1;

/** A clinic whose other system brings its visits in. */
export function createImporter(client: ApiClient, clinic: TestClinic) {
  async function bringIn(items: readonly unknown[], more: Item = {}): Promise<ImportedItem[]> {
    return itemsIn(await client.post(IMPORT_PATH, { items, ...more }));
  }
  return {
    bringIn,
    /** What became of each, or why it was refused. */
    async resultsOf(items: readonly unknown[], more: Item = {}): Promise<string[]> {
      return (await bringIn(items, more)).map(({ result, error }) => error ?? result);
    },
    /** The id under which the only one of them is there. */
    async idOf(item: Item): Promise<string> {
      const [only] = await bringIn([item]);
      return only?.id ?? '';
    },
    /** A visit of the past, each on a day of its own. */
    aVisit: (externalId: string, changes: Item = {}): Item => ({
      externalId,
      professionalId: clinic.professionalIds[0],
      serviceTypeId: clinic.serviceTypeId,
      startsAt: inHours(-24 * (10 + nextDay++)).toISOString(),
      patientName: 'Ana Martins',
      patientPhone: '+351912345678',
      status: 'attended',
      ...changes,
    }),
    /** What is there under this id, but for what was moved away. */
    async theOne(externalId: string): Promise<Record<string, unknown>[]> {
      const { body } = await client.get('/v1/appointments', { externalId });
      return (body['items'] as Record<string, unknown>[]).filter(({ status }) => status !== 'rescheduled');
    },
  };
}

export type Importer = ReturnType<typeof createImporter>;

function itemsIn(answer: ApiAnswer): ImportedItem[] {
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.body['items'] as ImportedItem[];
}
