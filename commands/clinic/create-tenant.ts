import { uuidv7 } from 'uuidv7';
import { TenantEntity, type TenantRow } from '../../db/entities/tenant.entity.ts';
import { makeClinicKey } from '../../db/connection/cipher-of.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';

export interface NewTenant extends Pick<TenantRow, 'name' | 'specialty' | 'country' | 'email' | 'phone'> {
  /** IANA zone name. */
  timezone: string;
  /** By default, a new ID. */
  id?: string;
  /** The clinic's id at the identity provider; random until it is known. */
  identityOrgId?: string | undefined;
}

/** docs/calls.md#how-long-they-are-kept */
export const RETENTION_OF_NEW_CLINICS = { recordingDays: 90, transcriptDays: 365 };

/** A clinic created by an operator is active on the basic plan; `tenant update` can set a trial. */
export async function createTenant(em: EntityManager, input: NewTenant, context: CommandContext) {
  const { timezone, id = uuidv7(), identityOrgId = newIdentityOrgId(), ...fields } = input;
  const tenant = em.create(TenantEntity, {
    ...fields,
    id,
    identityOrgId,
    plan: 'basic',
    status: 'active',
    config: { timezone, retention: RETENTION_OF_NEW_CLINICS },
    createdAt: context.now,
    updatedAt: context.now,
  });
  await em.flush();
  await makeClinicKey(em, tenant.id);
  await recordAudit(em, { action: 'tenant.created', tenantId: tenant.id, subjectId: tenant.id }, context);
  return tenant;
}

/** A placeholder until the identity provider's id is known. */
function newIdentityOrgId(): string {
  return `org_${uuidv7().replaceAll('-', '')}`;
}
