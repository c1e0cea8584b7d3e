import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { presented } from '../contract/presented.ts';
import { tenantSchema } from './contract.ts';

/** A clinic as the API and the command line show it: docs/clinic-settings.md#fields */
export function presentTenant(row: TenantRow) {
  return presented(tenantSchema, row);
}
