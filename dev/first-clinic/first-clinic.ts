import { z } from 'zod';
import { readPrivateJson, writePrivateJson } from '../data-directory/private-file.ts';

const named = z.object({ id: z.string(), name: z.string() });
const clinicRecord = z.object({
  tenantId: z.string(),
  professionals: z.array(named).min(1),
  services: z.array(named).min(1),
  /** The key with all scopes. */
  key: z.string(),
  /** The key with the scopes that a PMS needs. */
  pmsKey: z.string().default(''),
});
/** The clinic for trying things out, stored in `$DATA_DIR/demo.json`. */
export type FirstClinic = z.infer<typeof clinicRecord>;

/** The stored clinic; null before the first start. */
export function readFirstClinic(path: string): FirstClinic | null {
  return readPrivateJson(path, clinicRecord);
}

/**
 * Creates the clinic at the first start; later starts only replace keys that are no longer valid.
 * @param make runs `make-first-clinic-main.ts` for the stored clinic and returns its output
 */
export async function keepFirstClinic(
  path: string,
  apiUrl: string,
  make: (...args: string[]) => Promise<string>,
): Promise<FirstClinic> {
  const kept = readFirstClinic(path);
  if (kept !== null && (await areKeysAccepted(apiUrl, kept))) return kept;
  const made = await make(...(kept ? [kept.tenantId] : []));
  const clinic = clinicRecord.parse(JSON.parse(made));
  writePrivateJson(path, clinic);
  return clinic;
}

async function areKeysAccepted(apiUrl: string, { key, pmsKey }: FirstClinic): Promise<boolean> {
  const answers = await Promise.all(
    [key, pmsKey].map((each) =>
      fetch(`${apiUrl}/v1/api-keys/me`, { headers: { authorization: `Bearer ${each}` } }),
    ),
  );
  for (const { body } of answers) await body?.cancel();
  return answers.every(({ status }) => status !== 401);
}
