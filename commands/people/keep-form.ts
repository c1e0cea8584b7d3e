import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import { keptForm } from '../../domain/encryption/sealed-places.ts';
import type { SecretCipher } from '../../adapters/encryption/secret-cipher.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { KeptFormEntity } from '../../db/entities/people/kept-form.entity.ts';
import { dropSurplusForms } from '../../db/people/purge-people.ts';
import { KEPT_FORM_MS } from '../../domain/people/session.ts';

/** The person who sent a form. */
export interface FormOwner {
  /** Null for the service's own support staff. */
  tenantId: string | null;
  personId: string;
}

const filledIn = z.object({
  /** The URL to which the form was sent. */
  address: z.string(),
  fields: z.array(z.tuple([z.string(), z.string()])),
});
export type FilledIn = z.infer<typeof filledIn>;

/** How many forms are stored for one person. */
const MAX_OF_A_PERSON = 20;

/** Saves a form whose session had ended, for an hour; returns its id. */
export async function keepForm(
  em: EntityManager,
  cipher: SecretCipher,
  { tenantId, personId, ...form }: FormOwner & FilledIn,
  now: Date,
): Promise<string> {
  const id = uuidv7();
  const sealed = cipher.encrypt(JSON.stringify(form), keptForm({ tenantId, id }));
  await em.insert(KeptFormEntity, { id, tenantId, personId, sealed, createdAt: now });
  await dropSurplusForms(em, personId, MAX_OF_A_PERSON);
  return id;
}

/** Returns a stored form; null when its hour has ended or it belongs to someone else. */
export async function openKeptForm(
  em: EntityManager,
  cipher: SecretCipher,
  { id, tenantId, personId }: FormOwner & { id: string },
  now: Date,
): Promise<FilledIn | null> {
  const createdAt = { $gt: new Date(now.getTime() - KEPT_FORM_MS) };
  const found = await em.findOne(KeptFormEntity, { id, tenantId, personId, createdAt });
  return found && filledIn.parse(JSON.parse(cipher.decrypt(found.sealed, keptForm(found))));
}
