import { createHash } from 'node:crypto';
import { isUuid } from '../../domain/row-id.ts';
import { FORM_ID } from '../layout/form.ts';

/**
 * The id of what a form makes: of one that is sent twice the same, of one that was changed in between another. Guests may not
 * read the clinic's idempotency records, so their forms are known by what they have made. Undefined: the form has no id.
 */
export function idOfMade(form: URLSearchParams): string | undefined {
  const formId = form.get(FORM_ID) ?? '';
  if (!isUuid(formId)) return undefined;
  const hash = createHash('sha256').update(form.toString()).digest('hex');
  // A UUIDv7 begins with the time at which it was made.
  return `${formId.slice(0, 13).toLowerCase()}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}
