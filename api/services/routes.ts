import { createService, putService, updateService } from '../../commands/clinic/services/save-service.ts';
import { requireFound } from '../../commands/require-found.ts';
import { findService, listServices } from '../../db/clinic/services.ts';
import { answer, implement } from '../contract/implement.ts';
import { presentListByName } from '../contract/presented.ts';
import { serviceContracts, serviceCursor } from './contract.ts';
import { presentService } from './present.ts';

export const serviceRoutes = implement(serviceContracts, () => ({
  listServices: async ({ query, caller, read }) => {
    const { include, externalId, limit, cursor: after } = query;
    const wanted = { withInactive: include === 'inactive', externalId, page: { after, limit: limit + 1 } };
    const services = await read((em) => listServices(em, caller.tenantId, wanted));
    return answer(200, presentListByName(services.map(presentService), limit, serviceCursor));
  },
  createService: async ({ body, caller, context, write }) => {
    const { eligibleProfessionalIds: professionalIds = [], ...fields } = body;
    const input = { tenantId: caller.tenantId, fields, professionalIds };
    const made = await write((em) => createService(em, input, context));
    return answer(201, presentService(made), { Location: `/v1/services/${made.service.id}` });
  },
  getService: async ({ path, caller, read }) => {
    const found = await read((em) => findService(em, caller.tenantId, path.id));
    return answer(200, presentService(requireFound(found, 'service', path.id)));
  },
  updateService: async ({ path, body, caller, context, write }) => {
    const { eligibleProfessionalIds: professionalIds, ...fields } = body;
    const input = { tenantId: caller.tenantId, serviceId: path.id, fields, professionalIds };
    return answer(200, presentService(await write((em) => updateService(em, input, context))));
  },
  putService: async ({ path, body, caller, context, write }) => {
    const { eligibleProfessionalIds: professionalIds, ...fields } = body;
    const { externalId } = path;
    const input = { tenantId: caller.tenantId, externalId, fields, professionalIds };
    const { isNew, ...put } = await write((em) => putService(em, input, context));
    return answer(isNew ? 201 : 200, presentService(put));
  },
}));
