import { createHash } from 'node:crypto';
import { isUuid } from '../../domain/row-id.ts';
import { FORM_ID } from '../layout/form.ts';

/**
 * The id of what a form creates: equal if it is sent twice, different if it was changed in between. Guests cannot read
 * the clinic's idempotency records, so repeats are recognised by this id. Undefined: the form has no id.
 */
export function idOfMade(form: URLSearchParams): string | undefined {
  const formId = form.get(FORM_ID) ?? '';
  if (!isUuid(formId)) return undefined;
  const hash = createHash('sha256').update(form.toString()).digest('hex');
  // A UUIDv7 starts with its creation time.
  return `${formId.slice(0, 13).toLowerCase()}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}
