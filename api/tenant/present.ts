import { presenter } from '../../domain/presented.schema.ts';
import { tenantSchema } from './contract.ts';

/** A clinic as the API and the command line show it: docs/clinic-settings.md#fields */
export const presentTenant = presenter(tenantSchema);
