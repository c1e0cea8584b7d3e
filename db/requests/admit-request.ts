import { z } from 'zod';
import { ADDRESS_LIMITS, clinicLimits, KEY_LIMITS, type RateLimit } from '../../domain/rate-limits.ts';
import { prepared, rowsOf, type EntityManager } from '../connection/statements.ts';
import {
  COUNT_COLUMNS,
  COUNTS,
  limitsOf,
  secondsOf,
  toCountedRequest,
  type CountedRequest,
} from './rate-limit.ts';
import {
  API_KEY_COLUMNS,
  presentedKey,
  presentedKeys,
  type PresentedKey,
  type StoredApiKey,
} from '../clinic/find-api-key.ts';

export interface Admission {
  /** The key with this public id, valid or not. */
  stored: StoredApiKey | null;
  isKeyValid: boolean;
  /** The count against the limits of the valid key and its clinic, or else against the limits of the address. */
  counted: CountedRequest;
}

const ADMISSION_ROW = presentedKey({
  ...COUNTS.shape,
  nr: z.number(),
  isKeyValid: z.boolean(),
  requestsPerMinute: z.number().nullable(),
});
type AdmissionRow = z.infer<typeof ADMISSION_ROW>;

export interface AskingRequest {
  /** Null when the request has no well-formed key. */
  key: PresentedKey | null;
  /** The client's address, for an invalid key. */
  address: string;
}

/** No key has this public id. */
const NO_KEY: PresentedKey = { publicId: '', secretHash: Buffer.alloc(0) };

/**
 * Authenticates and counts requests in one round trip. Rows of clinics and subjects are locked in a fixed order, each
 * clinic before its keys.
 */
export async function admitRequests(em: EntityManager, requests: readonly AskingRequest[], now: Date) {
  const keys = requests.map(({ key }) => key ?? NO_KEY);
  const addresses = requests.map(({ address }) => address);
  const rows = await rowsOf(prepared(em), ADMISSION_ROW)`
    SELECT
      presented.nr,
      presented.is_good AS is_key_valid,
      presented.requests_per_minute,
      ${API_KEY_COLUMNS},
      ${COUNT_COLUMNS}
    FROM (
      SELECT
        *,
        CASE WHEN is_good THEN 'key:' || id ELSE 'address:' || (${addresses}::text[])[nr + 1] END AS subject,
        CASE WHEN is_good THEN tenant_id END AS of_clinic,
        (SELECT requests_per_minute FROM tenant WHERE is_good AND tenant.id = presented.tenant_id)
      FROM (${presentedKeys(keys, now)}) AS presented
      ORDER BY of_clinic, subject
    ) AS presented
    CROSS JOIN LATERAL admit_request(
      subject,
      CASE WHEN is_good THEN ${limitsOf(KEY_LIMITS)} ELSE ${limitsOf(ADDRESS_LIMITS)} END,
      CASE WHEN is_good THEN ${secondsOf(KEY_LIMITS)} ELSE ${secondsOf(ADDRESS_LIMITS)} END,
      of_clinic,
      requests_per_minute
    ) AS count
  `;
  const byNumber = new Map(rows.map((row) => [row.nr, row]));
  return requests.map((_, nr) => toAdmission(byNumber.get(nr)));
}

function toAdmission(row: AdmissionRow | undefined): Admission {
  if (!row) throw new Error('the database neither admitted nor refused a request');
  const counted = toCountedRequest(row, limitsFor(row));
  return { stored: row.id === null ? null : row, isKeyValid: row.isKeyValid, counted };
}

function limitsFor({ requestsPerMinute }: AdmissionRow): readonly RateLimit[] {
  return requestsPerMinute === null ? ADDRESS_LIMITS : [...KEY_LIMITS, ...clinicLimits(requestsPerMinute)];
}
