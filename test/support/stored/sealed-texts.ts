import type { Database } from '../../../db/connection/open-database.ts';
import {
  fieldPlace,
  isSealedText,
  SEALED_FIELDS,
  type SealedFields,
} from '../../../domain/encryption/sealed-fields.ts';
import {
  callNumber,
  clinicKey,
  endpointHeaders,
  endpointSecret,
  eventBody,
  storedAnswer,
  type SealedPlace,
} from '../../../domain/encryption/sealed-places.ts';

/** A text in an encrypted column. */
export interface StoredText {
  text: string;
  place: SealedPlace;
}

type Row = Record<string, unknown> & { id: string; tenant_id: string };

/** The texts of all encrypted columns. */
export async function textsInSealedPlaces(database: Database): Promise<StoredText[]> {
  const rowsOf = (table: string) => database.em().execute<Row[]>(`SELECT * FROM ${table}`);
  const texts: StoredText[] = [];
  const add = (text: unknown, place: SealedPlace) => {
    if (text === null) return;
    texts.push({ text: typeof text === 'string' ? text : JSON.stringify(text), place });
  };
  for (const { tenant_id, sealed } of await rowsOf('clinic_key')) add(sealed, clinicKey(tenant_id));
  for (const { tenant_id, endpoint_id, ciphertext } of await rowsOf('webhook_secret'))
    add(ciphertext, endpointSecret(tenant_id, String(endpoint_id)));
  for (const { tenant_id, id, headers_ciphertext } of await rowsOf('webhook_endpoint'))
    add(headers_ciphertext, endpointHeaders(tenant_id, id));
  for (const { tenant_id: tenantId, id, ...call } of await rowsOf('call')) {
    add(call['from_number_sealed'], callNumber({ tenantId, id }, 'from'));
    add(call['to_number_sealed'], callNumber({ tenantId, id }, 'to'));
  }
  for (const { tenant_id: tenantId, id, body } of await rowsOf('webhook_event'))
    add(body, eventBody({ tenantId, id }));
  for (const { tenant_id, key_hash, sealed } of await rowsOf('idempotency_record'))
    add(sealed, storedAnswer(tenant_id, key_hash as Buffer));
  for (const [kind, fields] of Object.entries<SealedFields>(SEALED_FIELDS)) {
    for (const row of await rowsOf(inSnakeCase(kind))) {
      const place = {
        tenantId: row.tenant_id,
        row: fields.key.map((part) => row[inSnakeCase(part)]).join(':'),
      };
      for (const field of fields.fields) add(row[field.column], fieldPlace(fields, place, field));
    }
  }
  return texts;
}

/** Those that are really encrypted. */
export async function sealedTexts(database: Database): Promise<StoredText[]> {
  return (await textsInSealedPlaces(database)).filter(({ text }) => isSealedText(text));
}

function inSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
