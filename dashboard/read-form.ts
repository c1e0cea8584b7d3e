import { timingSafeEqual } from 'node:crypto';
import readRawBody from 'raw-body';
import type { EntityManager } from '../db/connection/open-database.ts';
import { SessionEntity } from '../db/entities/session.entity.ts';
import type { LiveSession } from '../db/people/use-session.ts';
import { ServiceError } from '../domain/service-error.ts';
import { FORM_TOKEN } from './layout/form.ts';
import { PageForbiddenError } from './page-error.ts';
import type { DashboardContext } from './state.ts';

const MOST_BYTES = 256 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * The fields of a form that one of our pages sent.
 * @throws PageForbiddenError when another site sent it
 * @throws ServiceError `payload_too_large`, `unsupported_media_type`, `malformed_request`
 */
export async function readForm(ctx: DashboardContext, ownOrigin: string): Promise<URLSearchParams> {
  // Every browser names where a form came from.
  const origin = ctx.get('Origin');
  if (origin !== ownOrigin) throw new PageForbiddenError('form');
  if (!ctx.is(FORM_TYPE)) throw new ServiceError('unsupported_media_type', `A form comes as ${FORM_TYPE}.`);
  const { length } = ctx.request;
  try {
    const body = await readRawBody(ctx.req, { encoding: 'utf8', limit: MOST_BYTES, length: length ?? null });
    return readableFields(body);
  } catch (error) {
    if (error instanceof Error && 'type' in error && error.type === 'entity.too.large')
      throw new ServiceError('payload_too_large', 'The form holds too much.');
    throw new ServiceError('malformed_request', 'The form did not arrive whole.');
  }
}

/** Fields without what nobody sees, and PostgreSQL neither stores nor compares. */
export function readableFields(text: string): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(text)) fields.append(name, value.replaceAll('\0', ''));
  return fields;
}

/**
 * A form may be of a page that the person was shown in an earlier session of the same clinic.
 * @throws PageForbiddenError when it was shown to somebody else, or to nobody
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
