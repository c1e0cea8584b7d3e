import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import { presented } from '../contract/presented.ts';
import { professionalSchema } from './professional-schemas.contract.ts';

/** docs/professionals.md#fields */
export function presentProfessional(row: ProfessionalRow) {
  return presented(professionalSchema, row);
}
