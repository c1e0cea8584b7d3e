import { createHash } from 'node:crypto';
import type { IdempotentRequest } from '../../commands/requests/stored-answers.ts';
import { createPerformOnce } from '../../commands/requests/perform-once.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { isUuid } from '../../domain/row-id.ts';
import { FORM_ID, FORM_TOKEN } from '../layout/form.ts';
import type { Answer, PageRequest, PageRoute } from './page-request.ts';
import { secretShownBeforePage } from './secret-shown-before-page.ts';

/**
 * What is stored of an answer for repeats of its form. Null when nothing was done, so that the form may be sent again.
 */
type StoredAnswer = { to: string } | { secretOf: string } | null;

export type AnswerOnce = (request: PageRequest, handle: PageRoute['handle']) => Promise<Answer>;

/**
 * Handles a form once, even if a double click, a reload or the back button sends it again. For a day, repeats redirect
 * to the first result. A changed form is a different form.
 *
 * Forms of the support desk belong to no clinic under which an answer could be stored; they send the state that their
 * page showed instead (`edits/version.ts`).
 */
export function createAnswerOnce(database: Database): AnswerOnce {
  const performOnce = createPerformOnce<StoredAnswer>(database);
  return async (request, handle) => {
    const known = knownBy(request);
    if (!known) return handle(request);
    let answer: Answer | undefined;
    const performed = await performOnce(known, {
      perform: async ({ read, write }) => {
        let hasWritten = false;
        const noting: typeof write = (...work) => {
          hasWritten = true;
          return write(...work);
        };
        answer = await handle({ ...request, read, write: noting });
        return hasWritten ? toKeep(answer) : null;
      },
      refuse: () => null,
      whatBecomesOf: (kept) => (kept === null ? 'passing' : 'kept'),
    });
    return performed.isReplayed || !answer ? again(performed.answer, request) : answer;
  };
}

/** A page shows errors; a success redirects, or shows a secret, which is not stored. */
function toKeep(answer: Answer): StoredAnswer {
  if ('to' in answer) return { to: answer.to };
  return 'secretOf' in answer && answer.secretOf !== undefined ? { secretOf: answer.secretOf } : null;
}

function again(kept: StoredAnswer, { view }: PageRequest): Answer {
  if (kept === null) throw new TypeError('the response to this form was not stored');
  return 'to' in kept ? kept : secretShownBeforePage(view, kept.secretOf);
}

/** Identifies a form by owner, page, target and contents. An API key contains no space. */
function knownBy({ session, view, form, context }: PageRequest): IdempotentRequest | null {
  const { tenantId } = session;
  if (tenantId === null || !isUuid(form.get(FORM_ID) ?? '')) return null;
  const fields = [...form].filter(([name]) => name !== FORM_TOKEN);
  const said = JSON.stringify([context.actor, view.address, fields]);
  const fingerprint = createHash('sha256').update(said).digest('base64url');
  return { tenantId, key: `form ${fingerprint}`, fingerprint };
}
