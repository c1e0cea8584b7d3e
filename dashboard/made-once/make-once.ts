import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import { isUniqueViolation } from '../../db/connection/database-errors.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { html, type Html } from '../../pages/html.ts';
import type { ClinicRequest } from '../serving/page-request.ts';

const rowId = z.guid().toLowerCase();

/** The id of what a form is to make, which it carries, so that one that is sent twice is recognised. */
export function idToMake(form: URLSearchParams): string {
  return rowId.safeParse(form.get('id')).data ?? uuidv7();
}

/** The same in the form. @param given what was sent before, to be mended */
export function idField(given: URLSearchParams): Html {
  return html`<input type="hidden" name="id" value="${idToMake(given)}" />`;
}

export interface Making<Found, Made> {
  /** What has this id already; null: nothing of the clinic. */
  find: (id: string) => Promise<Found | null>;
  /** Whether it is what the form asks for now, and not what an earlier filling in of the same page made. */
  isSame: (found: Found) => boolean;
  make: (id: string) => Promise<Made>;
}

/** A form that is sent twice leads to what it has made the first time; one that was filled in anew makes another. */
export async function makeOnce<Found, Made>(
  { form }: Pick<ClinicRequest, 'form'>,
  { find, isSame, make }: Making<Found, Made>,
): Promise<{ isNew: true; made: Made } | { isNew: false; made: Found }> {
  const id = idToMake(form);
  const earlier = await find(id);
  if (earlier && isSame(earlier)) return { isNew: false, made: earlier };
  try {
    return { isNew: true, made: await make(earlier ? uuidv7() : id) };
  } catch (error) {
    // A twin may have been faster.
    const twin = await find(id);
    if (twin && isSame(twin)) return { isNew: false, made: twin };
    // Somebody who made the id up may have taken that of another clinic, whose rows are not seen here.
    if (earlier || twin || !mayBeTaken(error)) throw error;
    return { isNew: true, made: await make(uuidv7()) };
  }
}

/** Whether it may have failed for its id: a row that has it is in the way as one is that has the slot. */
function mayBeTaken(error: unknown): boolean {
  return error instanceof ServiceError ? error.code === 'slot_conflict' : isUniqueViolation(error);
}
