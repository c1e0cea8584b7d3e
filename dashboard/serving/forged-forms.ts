import { timingSafeEqual } from 'node:crypto';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { SessionEntity } from '../../db/entities/people/session.entity.ts';
import type { LiveSession } from '../../db/people/use-session.ts';
import { FORM_TOKEN } from '../layout/form.ts';
import { PageForbiddenError } from './page-error.ts';
import type { DashboardContext } from './state.ts';

/**
 * Refuses a form from another site. Every browser says where a form came from; some hide the origin, but still say
 * whether it is ours. @throws PageForbiddenError when another site sent it
 */
export function requireOwnOrigin(ctx: DashboardContext, ownOrigin: string): void {
  const origin = ctx.get('Origin');
  const isHidden = origin === '' || origin === 'null';
  const isOwn = isHidden ? ctx.get('Sec-Fetch-Site') === 'same-origin' : origin === ownOrigin;
  if (!isOwn) throw new PageForbiddenError('form');
}

/**
 * Accepts a form from the person's earlier session in the same clinic.
 * @throws PageForbiddenError when it was shown to someone else, or to no one
 */
export async function requireOwnForm(
  form: URLSearchParams,
  { formToken, tenantId, personId }: LiveSession,
  em: EntityManager,
): Promise<void> {
  const given = form.get(FORM_TOKEN) ?? '';
  if (isSame(given, formToken)) return;
  const earlier = await em.findOne(SessionEntity, { formToken: given });
  const isOwn = personId !== null && earlier?.personId === personId && earlier.tenantId === tenantId;
  if (!isOwn) throw new PageForbiddenError('form');
}

function isSame(one: string, other: string): boolean {
  const [given, expected] = [Buffer.from(one), Buffer.from(other)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
