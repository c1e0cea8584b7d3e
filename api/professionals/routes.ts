import {
  createProfessional,
  putProfessional,
  updateProfessional,
} from '../../commands/clinic/professionals/save-professional.ts';
import { requireFound } from '../../commands/require-found.ts';
import { findProfessional, listProfessionals } from '../../db/clinic/professionals.ts';
import { answer, implement } from '../contract/implement.ts';
import { presentListByName } from '../contract/presented.ts';
import { professionalContracts, professionalCursor } from './contract.ts';
import { presentProfessional } from './present.ts';

export const professionalRoutes = implement(professionalContracts, () => ({
  listProfessionals: async ({ query, caller, read }) => {
    const { include, externalId, limit, cursor: after } = query;
    const wanted = { withInactive: include === 'inactive', externalId, page: { after, limit: limit + 1 } };
    const professionals = await read((em) => listProfessionals(em, caller.tenantId, wanted));
    const items = professionals.map(presentProfessional);
    return answer(200, presentListByName(items, limit, professionalCursor));
  },
  createProfessional: async ({ body, caller, context, write }) => {
    const input = { tenantId: caller.tenantId, fields: body };
    const professional = await write((em) => createProfessional(em, input, context));
    const Location = `/v1/professionals/${professional.id}`;
    return answer(201, presentProfessional(professional), { Location });
  },
  getProfessional: async ({ path, caller, read }) => {
    const found = await read((em) => findProfessional(em, caller.tenantId, path.id));
    return answer(200, presentProfessional(requireFound(found, 'professional', path.id)));
  },
  updateProfessional: async ({ path, body, caller, context, write }) => {
    const input = { tenantId: caller.tenantId, professionalId: path.id, fields: body };
    const professional = await write((em) => updateProfessional(em, input, context));
    return answer(200, presentProfessional(professional));
  },
  putProfessional: async ({ path, body, caller, context, write }) => {
    const input = { tenantId: caller.tenantId, externalId: path.externalId, fields: body };
    const { isNew, professional } = await write((em) => putProfessional(em, input, context));
    return answer(isNew ? 201 : 200, presentProfessional(professional));
  },
}));
