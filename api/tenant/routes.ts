import { presentTenant } from './present.ts';
import { updateTenant } from '../../commands/clinic/update-tenant.ts';
import { requireTenant } from '../../commands/clinic/lock-tenant.ts';
import { answer, implement } from '../contract/implement.ts';
import { tenantContracts } from './contract.ts';

export const tenantRoutes = implement(tenantContracts, () => ({
  getTenant: async ({ caller, read }) => {
    const tenant = await read((em) => requireTenant(em, caller.tenantId));
    return answer(200, presentTenant(tenant));
  },
  updateTenant: async ({ body, caller, context, write }) => {
    const tenant = await write((em) => updateTenant(em, { ...body, tenantId: caller.tenantId }, context));
    return answer(200, presentTenant(tenant));
  },
}));
